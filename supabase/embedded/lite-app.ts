import { App } from "@supabase/lite";
import { minimumPasswordLength } from "../../app/lib/passwords/password-rule.ts";
import { dropAuthMail } from "./auth/auth-mail.ts";
import { accessTokenLifetime, type SessionLimits } from "./auth/sessions.ts";
import type { BackendLog } from "./log.ts";
import type { Secrets } from "./secrets.ts";
import type { EmbeddedConnection } from "./session/connection.ts";

/**
 * Creates @supabase/lite on the site's database: REST and the sign-in service, without studio, storage and sign-up. Its
 * emails are dropped and logged (the site's own outbox sends email).
 */
export function createLiteApp(
  connection: EmbeddedConnection,
  secrets: Secrets,
  siteUrl: string,
  limits: SessionLimits,
  log: BackendLog,
): App {
  return new App({
    connection,
    studio: { enabled: false },
    storage: { enabled: false },
    auth: {
      enabled: true,
      jwt_secret: secrets.jwtSecret,
      publishable_key: secrets.publishableKey,
      secret_key: secrets.secretKey,
      jwt_expiry: accessTokenLifetime(limits),
      enable_signup: false,
      minimum_password_length: minimumPasswordLength,
      site_url: siteUrl,
    },
    options: { drivers: { email: dropAuthMail(log) } },
  });
}
