import type { Article } from "~/content/insights/article.server";
import { insightsPage as words } from "~/content/pages/insights";
import { formatDay } from "~/lib/dates";

/** An article. Its HTML is rendered from Markdown, which may not contain HTML. */
export function ArticleView({ article }: { article: Article }) {
  const { title, summary, date, author, html, client, consent, disclosure } = article;
  const facts = { client, consent, disclosure };
  return (
    <article className="wrap article">
      <p className="eyebrow">
        <a href={words.path}>{words.label}</a>
      </p>
      <h1 className="text-(length:--text-hero)">{title}</h1>
      <p className="lead mt-7 max-w-[33.5em] text-xl">{summary}</p>
      <p className="article-day">
        {`${author} · `}
        <time dateTime={date}>{formatDay(date)}</time>
      </p>
      <div className="article-text" dangerouslySetInnerHTML={{ __html: html }} />
      {article.kind === "example" ? (
        <dl className="article-facts">
          {(["client", "consent", "disclosure"] as const).map((key) => (
            <div key={key}>
              <dt>{words.example[key]}</dt>
              <dd>{facts[key]}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </article>
  );
}
