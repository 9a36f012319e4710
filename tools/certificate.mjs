import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Program that makes certificates; Node cannot. */
const openssl = "openssl";

/**
 * Makes a certificate for localhost that is valid for a day.
 * @returns paths of the two PEM files, and `remove`
 */
export function makeCertificate() {
  const folder = mkdtempSync(join(tmpdir(), "tls-"));
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  execFileSync(openssl, ["req", "-x509", ...kind, ...names, "-keyout", key, "-out", certificate], { stdio: "ignore" });
  return { key, certificate, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
