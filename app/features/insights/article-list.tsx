import type { ListedArticle } from "./shown-article";

/** Articles with day and summary, newest first. */
export function ArticleList({ articles }: { articles: readonly ListedArticle[] }) {
  return (
    <ul className="article-list">
      {articles.map(({ path, title, summary, date, day }) => (
        <li key={path}>
          <h3 className="text-2xl">
            <a href={path}>{title}</a>
          </h3>
          <p className="article-day">
            <time dateTime={date}>{day}</time>
          </p>
          <p className="mt-2">{summary}</p>
        </li>
      ))}
    </ul>
  );
}
