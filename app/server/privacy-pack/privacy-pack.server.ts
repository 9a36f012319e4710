import packageJson from "../../../package.json" with { type: "json" };
import { company } from "~/content/company";
import { findRecipientsInUse } from "~/server/config/recipients-in-use.server";
import type { Settings } from "~/server/config/settings.server";
import { firmMustAnswer } from "./documents/firm-must-answer.server";
import { describeLegitimateInterests } from "./documents/legitimate-interests.server";
import { describeProcessing } from "./documents/record-of-processing.server";
import { listRecipients } from "./documents/recipients.server";
import { describeRetention } from "./documents/retention.server";
import { countRightsRequests } from "./documents/rights-statistics.server";
import { listMeasures } from "./documents/security-measures.server";
import type { SiteDatabase } from "./site-database.server";
import { answerVendorForm } from "./documents/vendor-form.server";

/** One chapter of the pack: a Markdown file, and a part of the JSON. */
export interface Chapter {
  /** of the file, without its ending; in the JSON the key */
  name: string;
  title: string;
  content: unknown;
}

/** What a firm shows to whoever asks how it handles personal data (GDPR Article 5(2)); it holds none itself. */
export async function makePrivacyPack(settings: Settings, database: SiteDatabase): Promise<Chapter[]> {
  const record = await describeProcessing(database, findRecipientsInUse(settings));
  const recipients = listRecipients(settings);
  const processorsByName = company.processors.length > 0 ? company.processors : firmMustAnswer;
  const retention = await describeRetention(database);
  const measures = await listMeasures(settings, database);
  const rights = await countRightsRequests(database);
  const about = {
    site: settings.siteUrl,
    madeAt: new Date().toISOString(),
    version: packageJson.version,
    database: settings.backend.kind,
  };
  return [
    { name: "about", title: "About this pack", content: about },
    { name: "record-of-processing", title: "Record of processing activities (GDPR Article 30)", content: record },
    { name: "recipients", title: "Recipients of personal data", content: { inUse: recipients, processorsByName } },
    { name: "retention", title: "Retention, and proof of deletion", content: retention },
    { name: "security-measures", title: "Security measures (GDPR Article 32)", content: measures },
    { name: "rights-statistics", title: "Data rights requests in figures", content: rights },
    {
      name: "legitimate-interests",
      title: "Assessment of legitimate interests (GDPR Article 6(1)(f))",
      content: describeLegitimateInterests(settings),
    },
    {
      name: "vendor-form",
      title: "Questions of a vendor form",
      content: answerVendorForm({ settings, record, recipients, retention, measures, rights }),
    },
  ];
}
