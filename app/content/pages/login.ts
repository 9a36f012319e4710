/** All texts of the sign-in page. */
export const loginPage = {
  title: "Admin Login",
  description: "Sign in to read and answer messages.",
  fields: { email: "Email", password: "Password" },
  signIn: "Sign In",
  signingIn: "Signing in...",
  forgotten: { label: "Forgot your password?", path: "/login/forgotten" },
  mistakes: { email: "Enter your email address, like name@example.com", password: "Enter your password" },
  tooMany: (wait: string) => `Too many attempts. Try again in ${wait}.`,
};
