// Cookies and query strings that browsers send with a page request, as plain data for the tests and the bench. Names
// and shapes match the programs that set them; the values are made up.

const recordId = "pRk3wX0v6yHn2cQ1bZ8sLmT4dJ7fG9aE";
/** A few weeks ago: consent lasts half a year. */
const decidedAt = new Date(Date.now() - 19 * 24 * 60 * 60 * 1000).toISOString();
/** Hashes of the texts on a site that uses analytics: file names in app/content/consent-texts. */
const texts = {
  banner: "9bcb4f3f73fc2cd8a08c1eb5c43531d57ad7eba60aee58a8907bb61c1a2302df",
  dialog: "fae3215f1baa5c7a06219d273494c92cc87decac2ec37935be71a331870cccfa",
};

/**
 * Formats a cookie decision like `formatDecision` (app/lib/consent.ts).
 * @param {string} choice
 * @param {"banner" | "dialog"} source
 * @param {string} version
 */
const consent = (choice, source = "banner", version = "1.0") =>
  `cookie-consent=v=${version}&${choice}&by=${source}&at=${decidedAt}&text=${texts[source]}&id=${recordId}`;
const rejected = consent("a=0&m=0");
const accepted = consent("a=1&m=1");
const analyticsOnly = consent("a=1&m=0", "dialog");
const signalled = `cookie-consent=v=1.0&a=0&m=0&by=signal&at=${decidedAt.slice(0, 10)}T00:00:00.000Z&text=${texts.banner}`;
const session = `session-id=${recordId}`;

const ga = "_ga=GA1.1.1839204417.1763801122";
const gaProperty = "_ga_7KQ2M9XW1P=GS2.1.s1763801122$o3$g1$t1763801340$j60$l0$h0";
const gaOlder = "_ga_0B1C2D3E4F=GS1.1.1716893022.7.1.1716893177.0.0.0";
const gid = "_gid=GA1.2.90210446.1763801122";
const fbp = "_fbp=fb.1.1763801122345.109811539748201776";
const fbc = "_fbc=fb.1.1763801121998.IwAR2vXl0aQ7yPZ3mE5sKd8nB1cTgHj4uWoRxViLqNfYbDkSAeMzCtJpGh6U";
const googleAds = "_gcl_au=1.1.1420973311.1763801122";
const cloudflare =
  "__cf_bm=q8Yd3KfJm1xWn5RzTb0vLpQ7sHc2GgXa9EoUiNkBt4M-1763801122-1.0.1.1-r7Jx2WqLk9ZbPd0YvNc4TgMh6SfRa1EoUi3XtKyBn8Q";
const hubspot = [
  "__hstc=181257784.0f3b9c7d2e1a48569b7d0c3e5f1a2b4c.1763801122100.1763801122100.1763888411200.2",
  "hubspotutk=0f3b9c7d2e1a48569b7d0c3e5f1a2b4c",
  "__hssrc=1",
  "__hssc=181257784.3.1763888411200",
].join("; ");
const intercom = [
  "intercom-id-k3v9x2mq=6d1f7a5c-3b2e-4d80-9f6a-7c1e5b3d9a24",
  "intercom-device-id-k3v9x2mq=f0c4b7a1-9e5d-4c32-8b6f-2a1d7e3c5b98",
  "intercom-session-k3v9x2mq=",
].join("; ");
const oneTrust = [
  "OptanonAlertBoxClosed=2026-11-03T08:41:27.310Z",
  "OptanonConsent=isGpcEnabled=0&datestamp=Sun+Nov+22+2026+10%3A15%3A30+GMT%2B0100+(Central+European+Standard+Time)&version=202409.2.0&browserGpcFlag=0&isIABGlobal=false&hosts=&consentId=4f1c0b7e-2d5a-4c63-9e8b-7a1d3f5c9b20&interactionCount=2&isAnonUser=1&landingPath=NotLandingPage&groups=C0001%3A1%2CC0002%3A1%2CC0003%3A1%2CC0004%3A0&geolocation=US%3BMA&AwaitingReconsent=false",
].join("; ");
const wordPress = [
  "wordpress_test_cookie=WP%20Cookie%20check",
  "wordpress_logged_in_5c8f0b2e7d1a4936b5e0c7f2d9a1b384=grace%7C1765010722%7CbQ2xV7nK0yLmT4dJ9fG1aEpRk3wX6vHn5cZ8sUoYiBq%7C7d1f3a5c9b2e4d80f6a7c1e5b3d9a24f0c4b7a19e5d4c328b6f2a1d7e3c5b981",
  "wp-settings-1=libraryContent%3Dbrowse%26editor%3Dtinymce%26mfold%3Do",
  "wp-settings-time-1=1763801122",
].join("; ");
const cookiebot =
  "CookieConsent={stamp:%27Zk3wX0v6yHn2cQ1bZ8sLmT4dJ7fG9aEpRk==%27%2Cnecessary:true%2Cpreferences:true%2Cstatistics:true%2Cmarketing:false%2Cmethod:%27explicit%27%2Cver:1%2Cutc:1763801122345%2Cregion:%27us-25%27}";
const mixpanel =
  "mp_9d1f7a5c3b2e4d809f6a7c1e5b3d9a24_mixpanel=%7B%22distinct_id%22%3A%20%22%24device%3A193a5c0f7b21e4-0d9c8b7a6f5e4d-16525637-1fa400-193a5c0f7b31e4%22%2C%22%24device_id%22%3A%20%22193a5c0f7b21e4-0d9c8b7a6f5e4d-16525637-1fa400-193a5c0f7b31e4%22%2C%22%24initial_referrer%22%3A%20%22https%3A%2F%2Fwww.google.com%2F%22%2C%22%24initial_referring_domain%22%3A%20%22www.google.com%22%7D";
const hotjar =
  "_hjSessionUser_3048117=eyJpZCI6IjZkMWY3YTVjLTNiMmUtNWQ4MC05ZjZhLTdjMWU1YjNkOWEyNCIsImNyZWF0ZWQiOjE3NjM4MDExMjIzNDUsImV4aXN0aW5nIjp0cnVlfQ==; _hjSession_3048117=eyJpZCI6ImYwYzRiN2ExLTllNWQtNGMzMi04YjZmLTJhMWQ3ZTNjNWI5OCIsImMiOjE3NjM4ODg0MTEyMDAsInMiOjAsInIiOjAsInNiIjowfQ==";
const microsoft =
  "_clck=1q8yd3k%7C2%7Cfzq%7C0%7C2149; _clsk=1m4xw9t%7C1763888411200%7C3%7C1%7Cv.clarity.ms%2Fcollect; _uetsid=8c1e5b3d9a2411efb6f02a1d7e3c5b98; _uetvid=8c1e7a5c9a2411efb6f02a1d7e3c5b98";
const matomo = "_pk_id.7.1fff=3b2e4d809f6a7c1e.1763801122.; _pk_ses.7.1fff=1";
const googleClick =
  "_gcl_aw=GCL.1763801122.Cj0KCQiA0fu5BhDQARIsAMXUBOLq7yPZ3mE5sKd8nB1cTgHj4uWoRxViLqNfYbDkSAeMzCtJpGh6UaQcEALw_wcB";
const classicAnalytics =
  "__utma=96992031.1839204417.1763801122.1763801122.1763888411.2; __utmb=96992031.1.10.1763888411; __utmc=96992031; __utmz=96992031.1763801122.1.1.utmcsr=google|utmccn=(organic)|utmcmd=organic|utmctr=(not%20provided)";
const balancer =
  "AWSALB=7yPZ3mE5sKd8nB1cTgHj4uWoRxViLqNfYbDkSAeMzCtJpGh6UaQcE+/0fu5BhDQARIsAMXUBOLq; AWSALBCORS=7yPZ3mE5sKd8nB1cTgHj4uWoRxViLqNfYbDkSAeMzCtJpGh6UaQcE+/0fu5BhDQARIsAMXUBOLq";

/** Values of `Cookie` of forty browsers. Most carry cookies that other programs have set on the same domain. */
export const cookieJars = [
  // Without our cookies.
  ga,
  `${ga}; ${gaProperty}`,
  `${ga}; ${gaOlder}; ${gid}; _gat_gtag_UA_48210377_1=1`,
  `${fbp}; ${fbc}`,
  `${googleAds}; ${googleClick}; ${ga}; ${gaProperty}; ${fbp}`,
  hubspot,
  `${intercom}; ${hubspot}`,
  wordPress,
  cloudflare,
  `cf_clearance=Xa9EoUiNkBt4MqYd3KfJm1xWn5RzTb0vLpQ7sHc2Gg-1763801122-1.2.1.1-Wq4k; ${cloudflare}`,
  oneTrust,
  `${cookiebot}; ${ga}; ${gaProperty}; ${hotjar}`,
  mixpanel,
  `${microsoft}; ${matomo}`,
  classicAnalytics,
  `PHPSESSID=t8k2m9qv0x4w1z7c5b3n6j1h2g; XSRF-TOKEN=eyJpdiI6IkZrM3dYMHY2eUhuMmNRMSJ9; csrftoken=Zk3wX0v6yHn2cQ1bZ8sLmT4dJ7fG9aEp`,
  `${balancer}; JSESSIONID=9A1E5B3D7C2F4A609B8D0C3E5F1A2B4C.node1`,
  "theme=dark; lang=en-US; tz=America%2FNew_York",
  // Only our cookies.
  rejected,
  accepted,
  analyticsOnly,
  signalled,
  consent("a=1&m=1", "banner", "0.9"),
  consent("a=0&m=0", "banner", "0.9"),
  "cookie-banner=closed",
  `${rejected}; ${session}`,
  // Our cookies among others.
  `${ga}; ${gaProperty}; ${accepted}; ${session}`,
  `${ga}; ${gaProperty}; ${gid}; ${analyticsOnly}; ${fbp}; ${cloudflare}`,
  `${cloudflare}; ${rejected}; ${hubspot}; ${session}`,
  `${ga}; ${rejected}; ${googleAds}; ${fbp}`,
  `cookie-banner=closed; ${intercom}; ${ga}; ${gaProperty}`,
  `${oneTrust}; ${consent("a=1&m=1", "dialog", "0.9")}; ${ga}; ${gid}`,
  `${wordPress}; ${accepted}; ${oneTrust}; ${hubspot}; ${intercom}; ${ga}; ${gaProperty}; ${gaOlder}; ${gid}; ${fbp}; ${fbc}; ${googleAds}; ${googleClick}; ${microsoft}; ${matomo}; ${mixpanel}; ${hotjar}; ${balancer}`,
  // From another host of the same firm that uses cookie prefixes.
  `__Host-${rejected}; __Secure-next-auth.callback-url=https%3A%2F%2Fportal.example; ${ga}`,
  // Malformed cookies that real browsers send.
  "a=b=c",
  "a=; b=; _ga=",
  `a=1;b=2;${ga};${analyticsOnly};c=3`,
  `greeting="good morning"; ${rejected}; basket="[]"`,
  `flag; =nameless; ; ${fbp};`,
  `not_ga=1; my_fbp=2; _gatsby=3; cookie-consents=4; x-cookie-banner=closed; ${"padding".repeat(300)}=1`,
];

/** Query strings, question mark included: campaigns, ads, newsletters, and damaged ones. */
export const queries = [
  "",
  "?utm_source=x&utm_medium=email",
  "?utm_source=linkedin&utm_medium=paid_social&utm_campaign=growth-stage-2026&utm_content=carousel_b&utm_term=clinic%20operations",
  "?gclid=Cj0KCQiA0fu5BhDQARIsAMXUBOLq7yPZ3mE5sKd8nB1cTgHj4uWoRxViLqNfYbDkSAeMzCtJpGh6UaQcEALw_wcB&gad_source=1&gbraid=0AAAAADqYd3KfJm1xWn5RzTb0v",
  "?fbclid=IwY2xjawLq7yPZ3leHRuA2FlbQIxMABicmlkETFmRk3wX0v6yHn2cQ1bZ8sAR5sKd8nB1cTgHj4uWoRxViLqNfYbDkSAeMzCtJpGh6U_aem_Zk3wX0v6yHn2cQ1bZ8sLmT",
  "?mc_cid=4f1c0b7e2d&mc_eid=9e8b7a1d3f",
  "?ref=producthunt",
  "?q=digital+health%20advice&source=news%20letter",
  "?",
  "?=",
  "?utm_source=a&utm_source=b&ref=&ref=partner",
  "?_hsenc=p2ANqtz-9Yd3KfJm1xWn5RzTb0vLpQ7sHc2GgXa&_hsmi=288114520&amp;utm_campaign=%E2%9C%93",
];
