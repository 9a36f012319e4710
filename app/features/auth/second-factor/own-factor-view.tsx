import type { ReactNode } from "react";
import { secondFactorPages } from "~/content/account/second-factor";
import { messageTitles } from "~/content/messages";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Notice } from "~/ui/frame/notice";
import { CodeForm } from "./code-form";
import { secondFactorPaths } from "./second-factor-paths";

const { own: copy } = secondFactorPages;
const action = secondFactorPaths.own;

/** Where somebody is with their second factor. */
export type OwnFactorStep =
  /** `failed`: which of its two codes was not taken */
  | { step: "setup"; failed?: "setup" | "recovery" }
  | { step: "off" }
  | { step: "scan"; factorId: string; uri: string; image: string; manualKey: string }
  | { step: "codes"; codes: string[]; site: string }
  | { step: "on"; since: string; codesLeft: number | null };

/** What the page shows. */
export interface OwnFactorViewProps {
  step: OwnFactorStep;
  /** no other page of the admin area opens before it is set up */
  isRequired: boolean;
  mistake: string | null;
}

/** What the page of one's own second factor shows, one step at a time; complete without scripts. */
export function OwnFactorView({ step, isRequired, mistake }: OwnFactorViewProps) {
  const controlId = step.step === "setup" ? (step.failed ?? "setup") : step.step === "scan" ? "finish" : null;
  return (
    <div className="max-w-xl">
      {mistake && controlId ? <ErrorSummary mistakes={[{ controlId, text: mistake }]} /> : null}
      {mistake && !controlId ? <Notice tone="error" title={messageTitles.adminFailed} text={mistake} /> : null}
      {step.step === "setup" || step.step === "off" ? (
        <p className="mb-8">{isRequired ? copy.required : copy.why}</p>
      ) : null}
      <Step step={step} mistake={mistake ?? undefined} />
      {isRequired ? null : (
        <p className="mt-8">
          <a href="/admin" className="inline-flex min-h-11 items-center">
            {secondFactorPages.confirm.back}
          </a>
        </p>
      )}
    </div>
  );
}

function Step({ step, mistake }: { step: OwnFactorStep; mistake: string | undefined }) {
  if (step.step === "setup") return <SetupCode failed={step.failed} mistake={mistake} />;
  if (step.step === "scan") return <Scan {...step} mistake={mistake} />;
  if (step.step === "codes") return <RecoveryCodes {...step} />;
  if (step.step === "on") return <TurnedOn {...step} />;
  return <IntentButton intent="begin">{copy.begin}</IntentButton>;
}

function SetupCode({ failed, mistake }: { failed: "setup" | "recovery" | undefined; mistake: string | undefined }) {
  const mistakeOf = (intent: string) => (failed === intent ? mistake : undefined);
  const { title, text, label, submit, recovery, recoveryText } = copy.setup;
  const { recoveryCode, submitRecovery } = secondFactorPages.challenge;
  return (
    <section>
      <h3 className="text-xl">{title}</h3>
      <p className="my-4">{text}</p>
      <CodeForm
        action={action}
        intent="setup"
        kind="written"
        label={label}
        submit={submit}
        error={mistakeOf("setup")}
      />
      <details className="mt-10" open={failed === "recovery"}>
        <summary className="cursor-pointer font-semibold">{recovery}</summary>
        <p className="my-4">{recoveryText}</p>
        <CodeForm
          action={action}
          intent="recovery"
          kind="written"
          label={recoveryCode}
          submit={submitRecovery}
          error={mistakeOf("recovery")}
          quiet
        />
      </details>
    </section>
  );
}

function Scan(props: Extract<OwnFactorStep, { step: "scan" }> & { mistake: string | undefined }) {
  const { title, alt, byHand, next, code, submit } = copy.scan;
  return (
    <section>
      <h3 className="text-xl">{title}</h3>
      <img src={props.image} alt={alt} width={240} height={240} className="my-6 rounded-lg bg-white" />
      <p>{byHand}</p>
      <p className="my-2 font-mono break-words">{props.manualKey}</p>
      <p className="mb-6">{next}</p>
      <CodeForm action={action} intent="finish" kind="one-time" label={code} submit={submit} error={props.mistake}>
        <input type="hidden" name="factorId" value={props.factorId} />
        <input type="hidden" name="uri" value={props.uri} />
      </CodeForm>
    </section>
  );
}

function RecoveryCodes({ codes, site }: Extract<OwnFactorStep, { step: "codes" }>) {
  const { title, text, download, fileName, fileHead, done } = copy.codes;
  const file = [fileHead(site), "", ...codes, ""].join("\r\n");
  return (
    <section>
      <h3 className="text-xl">{title}</h3>
      <p className="my-4">{text}</p>
      <ul className="my-6 grid gap-1 font-mono text-sm sm:text-base">
        {codes.map((code) => (
          <li key={code} className="recovery-code">
            {code}
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap gap-4">
        <a className="button" href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`} download={fileName}>
          {download}
        </a>
        <a className="button button-quiet" href={action}>
          {done}
        </a>
      </p>
    </section>
  );
}

function TurnedOn({ since, codesLeft }: Extract<OwnFactorStep, { step: "on" }>) {
  const { title, since: sinceText, left, renew, turnOff, turnOffText } = copy.on;
  return (
    <section className="grid gap-6">
      <h3 className="text-xl">{title}</h3>
      <p>
        {sinceText(since)} {codesLeft === null ? null : left(codesLeft)}
      </p>
      <IntentButton intent="renew">{renew}</IntentButton>
      <div>
        <p className="mb-4">{turnOffText}</p>
        <IntentButton intent="off" quiet>
          {turnOff}
        </IntentButton>
      </div>
    </section>
  );
}

function IntentButton({ intent, quiet, children }: { intent: string; quiet?: boolean; children: ReactNode }) {
  return (
    <form method="post" action={action}>
      <button name="intent" value={intent} className={quiet ? "button button-quiet" : "button"}>
        {children}
      </button>
    </form>
  );
}
