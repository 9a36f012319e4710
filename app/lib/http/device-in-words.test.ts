import { expect, it } from "vitest";
import { deviceInWords } from "./device-in-words";

const webkit = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0";

it.each([
  ["Firefox on Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0"],
  [
    "Firefox on iPhone",
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${webkit} FxiOS/150.0 Mobile/15E148 Safari/605.1.15`,
  ],
  ["Chrome on Android", `Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`],
  ["Chrome on ChromeOS", `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`],
  ["Edge on Windows", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/150.0.0.0`],
  ["Opera on Mac", `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome} Safari/537.36 OPR/130.0.0.0`],
  [
    "Samsung Internet on Android",
    `Mozilla/5.0 (Linux; Android 10; K) ${chrome.replace("Chrome", "SamsungBrowser/28.0 Chrome")} Mobile Safari/537.36`,
  ],
  ["Safari on Mac", `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18.5 Safari/605.1.15`],
  ["Safari on iPad", `Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) ${webkit} Version/18.5 Mobile/15E148 Safari/604.1`],
  ["Text browser", "w3m/0.5.3"],
  ["Unknown browser", "<a href=https://x.example>Firefox</a>"],
  ["Unknown browser", null],
])("recognizes %s", (words, userAgent) => {
  expect(deviceInWords(userAgent)).toBe(words);
});
