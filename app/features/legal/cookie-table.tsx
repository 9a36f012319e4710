import { cookieTableWords } from "~/content/privacy/legal-words";
import type { listCookies } from "./cookie-table.server";

const { caption, columns } = cookieTableWords;

/** The cookie table. On a narrow screen each cookie becomes a block, so that nothing scrolls sideways. */
export function CookieTable({ groups }: { groups: ReturnType<typeof listCookies> }) {
  return (
    <table className="cookie-table">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{columns.name}</th>
          <th scope="col">{columns.purpose}</th>
          <th scope="col">{columns.lifetime}</th>
        </tr>
      </thead>
      {groups.map(({ title, state, cookies }) => (
        <tbody key={title}>
          <tr className="cookie-group">
            <th scope="rowgroup" colSpan={3}>
              {title} <span>{state}</span>
            </th>
          </tr>
          {cookies.map(({ name, purpose, lifetime }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>{purpose}</td>
              <td data-label={columns.lifetime}>{lifetime}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}
