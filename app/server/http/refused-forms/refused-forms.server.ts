import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestHandler } from "@remix-run/node";
import { describeError, logProblem } from "../../log.server";
import { countPost } from "../../rate-limit.server";
import { largestForm } from "../../read-form.server";
import { getSettings } from "../../settings.server";
import { chooseGzip } from "../content-encoding.server";
import { type FindPageVariant, readVariantHeaders } from "../page-cache.server";
import { addressOf } from "../request-address.server";
import { judgeOrigin } from "../request-origin.server";
import type { SentPage } from "../stored-page.server";
import { type PageMould, makeMould } from "./page-mould.server";
import { type Post, type RefusableForm, fieldsOf, judge, readPost } from "./posted-form.server";
import { findStandIns } from "./stand-ins.server";

/** Answers forms with mistakes ahead of the framework. */
export interface RefusedForms {
  /** Whether this request may be such a form; its body is then to be read. */
  mayTake(request: IncomingMessage): boolean;
  /** @returns what was sent; null when nothing was, because the framework has to answer */
  answer(request: IncomingMessage, body: Buffer, response: ServerResponse, requestId: string): Promise<SentPage | null>;
}

/** Every set of mistakes has a page of its own; one takes some 80 kB. */
const mostMoulds = 60;

/**
 * Keeps the pages that show a form with its mistakes, cut open where a visitor's own words stand. The rules are applied to
 * every post as its action would; only the rendering, which takes a hundred times as long, is spared. What is not such a
 * post, or is a good one, goes on to the action (docs/decisions/0026-refused-forms.md).
 */
export function createRefusedForms(
  render: RequestHandler,
  findVariant: FindPageVariant,
  forms: readonly RefusableForm[],
): RefusedForms {
  const settings = getSettings();
  const byPath = new Map(forms.map((form) => [form.path, form]));
  /** by what they depend on, those used last at the end; null where none can be made */
  const moulds = new Map<string, PageMould | null>();
  let isMaking = false;

  async function make(key: string, form: RefusableForm, cookie: string | null, post: Post): Promise<void> {
    if (isMaking) return;
    isMaking = true;
    try {
      const standIns = findStandIns(post.typed, (typed) => judge(form, { ...post, typed }));
      if (standIns === null) return keep(key, null);
      const page = await render(repost(form.path, cookie, { ...post, typed: standIns }), { isSameOrigin: true });
      const isForAll = page.status === 400 && !page.headers.has("Set-Cookie");
      keep(key, isForAll ? await makeMould(page, standIns) : null);
    } catch (error) {
      logProblem({ event: "refused-form.failed", path: form.path, ...describeError(error) });
    } finally {
      isMaking = false;
    }
  }

  function keep(key: string, mould: PageMould | null): void {
    moulds.delete(key);
    moulds.set(key, mould);
    const [oldest] = moulds.keys();
    if (moulds.size > mostMoulds && oldest !== undefined) moulds.delete(oldest);
  }

  function repost(path: string, cookie: string | null, { typed, chosen }: Post): Request {
    const headers = new Headers(cookie === null ? {} : { Cookie: cookie });
    return new Request(settings.siteUrl + path, { method: "POST", headers, body: fieldsOf({ typed, chosen }) });
  }

  return {
    mayTake(request) {
      if (request.method !== "POST" || !byPath.has(request.url ?? "")) return false;
      const { "content-type": type = "", "content-length": length } = request.headers;
      return formType.test(type) && Number(length) <= largestForm && judgeOrigin(request, settings);
    },
    async answer(request, body, response, requestId) {
      const path = request.url ?? "";
      const form = byPath.get(path);
      const post = form && readPost(form, body);
      if (!post) return null;
      const mistakes = judge(form, post);
      const variant = mistakes === "" ? null : findVariant(path, readVariantHeaders(request));
      if (variant === null) return null;
      const key = `${new Date().getUTCFullYear()} ${path} ${variant.name} ${mistakes}`;
      const mould = moulds.get(key);
      if (!mould) {
        if (mould === undefined) void make(key, form, variant.cookie, post);
        return null;
      }
      const { allowed } = await countPost(addressOf(request, settings.trustedProxies));
      if (!allowed) return null;
      keep(key, mould);
      const { headerLines, body: page } = mould.fill(post.typed, chooseGzip(request.headers["accept-encoding"]));
      response
        .writeHead(mould.status, ["X-Request-Id", requestId, "Vary", "Accept-Encoding", ...headerLines])
        .end(page);
      return { status: mould.status, bytes: page.length };
    },
  };
}

const formType = /^application\/x-www-form-urlencoded *(;|$)/i;
