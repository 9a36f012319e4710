import { makeDay } from "./day.mjs";
import { get } from "./requests.mjs";

/**
 * Requests that both servers are loaded with, in turn.
 * @typedef {{ name: string, requests: import("./requests.mjs").KnownRequest[], least: number, maxP99: number | null }} Scenario
 *   `least` is the smallest ratio of requests a second to the bare server's that is good enough; `maxP99` the largest of the
 *   two p99, or null where none is promised
 */

/**
 * Everything that is compared with the bare server.
 * @param {Awaited<ReturnType<typeof import("./requests.mjs").listRequests>>} lists @returns {Scenario[]}
 */
export function listScenarios(lists) {
  const home = lists.known.filter(({ path }) => path === "/");
  return [
    { name: "GET / brotli", requests: [get("/")], least: 0.6, maxP99: 3 },
    { name: "GET / identity", requests: [{ path: "/", status: 200 }], least: 0.6, maxP99: 3 },
    { name: "GET / 304", requests: home, least: 0.65, maxP99: 3 },
    { name: "Any public page", requests: lists.first, least: 0.6, maxP99: null },
    { name: "Any page, campaign links", requests: lists.campaigns, least: 0.6, maxP99: null },
    { name: "Any page, 40 cookie jars", requests: lists.cookies, least: 0.6, maxP99: null },
    { name: "Any page, query and cookies", requests: lists.both, least: 0.6, maxP99: null },
    { name: "Form pages, visitor has chosen", requests: lists.formPages, least: 0.6, maxP99: null },
    { name: "Any page, 304", requests: lists.known, least: 0.65, maxP99: null },
    { name: "404, asked by robots", requests: lists.robots, least: 0.5, maxP99: null },
    { name: "robots.txt, sitemap.xml", requests: lists.files, least: 0.6, maxP99: null },
    { name: "/admin without a session", requests: lists.admin, least: 0.4, maxP99: null },
    { name: "A day of GETs", requests: makeDay(lists), least: 0.55, maxP99: null },
  ];
}
