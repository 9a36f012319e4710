import { TallLink } from "~/ui/content/tall-link";
import { PostButton } from "~/ui/forms/post-button";
import { secondFactorPages } from "~/content/pages/second-factor";
import { messageTitles } from "~/content/messages";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Notice } from "~/ui/frame/notice";
import { CodeForm } from "./code-form";
import { secondFactorPaths } from "~/lib/pages/second-factor-paths";

const action = secondFactorPaths.own;

/** A step of setting up or managing one's own second factor. */
export type OwnFactorStep =
  /** `failed`: which of its two codes was refused */
  | { step: "setup"; failed?: "setup" | "recovery" }
  | { step: "off" }
  | { step: "scan"; factorId: string; uri: string; image: string; manualKey: string }
  | { step: "codes"; codes: string[]; site: string }
  | { step: "on"; since: string; codesLeft: number | null };

/** Content of the page. */
export interface OwnFactorViewProps {
  step: OwnFactorStep;
  /** true while no other page of the admin area opens without a second factor */
  isRequired: boolean;
  mistake: string | null;
}

/** Page of one's own second factor, one step at a time. Works without scripts. */
export function OwnFactorView({ step, isRequired, mistake }: OwnFactorViewProps) {
  const controlId = step.step === "setup" ? (step.failed ?? "setup") : step.step === "scan" ? "finish" : null;
  return (
    <div className="grid max-w-xl gap-8">
      {mistake && controlId ? <ErrorSummary mistakes={[{ controlId, text: mistake }]} /> : null}
      {mistake && !controlId ? <Notice tone="error" title={messageTitles.adminFailed} text={mistake} /> : null}
      {step.step === "setup" || step.step === "off" ? (
        <p>
          {isRequired
            ? "This site requires two-step verification for every admin. Set yours up to continue."
            : "With a code from your phone, someone who knows your password still can’t read what visitors wrote."}
        </p>
      ) : null}
      <Step step={step} mistake={mistake ?? undefined} />
      {isRequired ? null : (
        <p>
          <TallLink href="/admin">Go back</TallLink>
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
  return <PostButton action={action} intent="begin" label="Set up" className="button" />;
}

function SetupCode({ failed, mistake }: { failed: "setup" | "recovery" | undefined; mistake: string | undefined }) {
  const mistakeOf = (intent: string) => (failed === intent ? mistake : undefined);
  const { recoveryCode, submitRecovery } = secondFactorPages.challenge;
  return (
    <section>
      <h3 className="text-xl">Setup code</h3>
      <p className="my-4">
        Ask your site operator for a setup code. It works once, within 72 hours, and proves that it is you, not someone
        with your password. You then have 15 minutes to set up two-step verification in this browser.
      </p>
      <CodeForm
        action={action}
        intent="setup"
        kind="written"
        label="Setup code"
        submit="Continue"
        error={mistakeOf("setup")}
      />
      <details className="mt-10" open={failed === "recovery"}>
        <summary className="cursor-pointer font-semibold">Have a recovery code left?</summary>
        <p className="my-4">You can use one of your recovery codes instead.</p>
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
  return (
    <section>
      <h3 className="text-xl">Scan this with your authenticator app</h3>
      <img
        src={props.image}
        alt="QR code with the key below"
        width={240}
        height={240}
        className="my-6 rounded-lg bg-white"
      />
      <p>Or enter this key in the app:</p>
      <p className="my-2 font-mono break-words">{props.manualKey}</p>
      <p className="mb-6">Then enter the 6-digit code that the app shows.</p>
      <CodeForm action={action} intent="finish" kind="one-time" label="Code" submit="Turn on" error={props.mistake}>
        <input type="hidden" name="factorId" value={props.factorId} />
        <input type="hidden" name="uri" value={props.uri} />
      </CodeForm>
    </section>
  );
}

function RecoveryCodes({ codes, site }: Extract<OwnFactorStep, { step: "codes" }>) {
  const file = [`Recovery codes for ${site}. Each works once.`, "", ...codes, ""].join("\r\n");
  return (
    <section>
      <h3 className="text-xl">Save your recovery codes</h3>
      <p className="my-4">
        You won’t see them again. If you lose your phone, sign in with one of them: it turns two-step verification off
        and signs you out everywhere else. Each code works once. Print them, or save them in your password manager.
      </p>
      <ul className="my-6 grid gap-1 font-mono text-sm sm:text-base">
        {codes.map((code) => (
          <li key={code} className="recovery-code">
            {code}
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap gap-4">
        <a
          className="button"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}
          download="recovery-codes.txt"
        >
          Save as a text file
        </a>{" "}
        <a className="button button-quiet" href={action}>
          I have saved them
        </a>
      </p>
    </section>
  );
}

function TurnedOn({ since, codesLeft }: Extract<OwnFactorStep, { step: "on" }>) {
  return (
    <section className="grid gap-6">
      <h3 className="text-xl">Two-step verification is on</h3>
      <p>
        {`Set up on ${since}.`} {/* Each code ends two-step verification, so what is left is all or none. */}
        {codesLeft === null ? null : `You have ${codesLeft} recovery codes left.`}
      </p>
      <PostButton action={action} intent="renew" label="Create new recovery codes" className="button" />
      <div>
        <p className="mb-4">
          If you turn it off, you sign in with your password alone. You stay signed in here, and all your other sessions
          end.
        </p>
        <PostButton action={action} intent="off" label="Turn off" />
      </div>
    </section>
  );
}
