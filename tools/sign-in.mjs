/**
 * Signs an admin in.
 * @param {string} url of the site @param {{ email: string, password: string }} admin
 * @returns {Promise<string>} the `Cookie` header that a browser would send from now on
 */
export async function signIn(url, { email, password }) {
  const response = await fetch(`${url}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: url },
    body: new URLSearchParams({ email, password }),
  });
  if (response.status !== 303) throw new Error(`Signing in: ${response.status} instead of 303`);
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0] ?? "")
    .join("; ");
}
