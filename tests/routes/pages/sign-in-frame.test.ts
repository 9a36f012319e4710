import { beforeAll, expect, it } from "vitest";
import { newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { findTags, readTexts } from "../../support/page-source";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { Visitor } from "../../support/visitor";

let product: RunningSite;

beforeAll(async () => {
  product = await shareSite();
});

it.each(["/login", "/login/forgotten", "/login/password"])(
  "%s leads to the home page, and to no other public page",
  async (path) => {
    const query = path === "/login/password" ? `?token=${newSecretToken()}` : "";
    const { html } = await new Visitor(product.url).get(path + query);
    const header = html.slice(html.indexOf("<header"), html.indexOf("</header>"));
    expect(findTags(header, "a", "nav", "dialog").map(({ attributes }) => attributes.href)).toEqual(["/"]);
    const footer = html.slice(html.indexOf("<footer"), html.indexOf("</footer>"));
    expect(findTags(footer, "nav")).toEqual([]);
    expect(new Set(readTexts(footer, "a"))).toEqual(new Set(["Cookie preferences"]));
  },
);
