import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";

/** Claims of an access token. */
export type Claims = JWTPayload;

/** Thrown for a token that this project did not sign, that has expired, or that names a role without tokens. */
export class TokenRefused extends Error {
  override readonly name = "TokenRefused";

  /** @param hasExpired false for a token that this project did not sign */
  constructor(
    message: string,
    readonly hasExpired = false,
  ) {
    super(message);
  }
}

/** Signs and verifies access tokens (RFC 7519), with HS256 only: a token cannot choose another algorithm or key. */
export class Tokens {
  readonly #key: Uint8Array;
  /** in seconds */
  readonly lifetime: number;

  constructor(secret: string, lifetime: number) {
    this.#key = new TextEncoder().encode(secret);
    this.lifetime = lifetime;
  }

  /** Signs the claims with the present time. @returns the token, and when it expires, in seconds since 1970 */
  async sign(claims: Claims): Promise<{ token: string; expiresAt: number }> {
    const iat = Math.floor(Date.now() / 1_000);
    const expiresAt = iat + this.lifetime;
    const unsigned = new SignJWT({ ...claims, iat, exp: expiresAt }).setProtectedHeader({ alg: "HS256", typ: "JWT" });
    return { token: await unsigned.sign(this.#key), expiresAt };
  }

  /** @throws TokenRefused */
  async verify(token: string): Promise<Claims> {
    try {
      const options = {
        algorithms: ["HS256"],
        audience: "authenticated",
        requiredClaims: ["exp", "sub", "session_id"],
      };
      return (await jwtVerify(token, this.#key, options)).payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw new TokenRefused("token has expired", true);
      const isForged = error instanceof errors.JWSSignatureVerificationFailed;
      throw new TokenRefused(isForged ? "token signature is invalid" : "token is malformed");
    }
  }
}
