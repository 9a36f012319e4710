// Ends the process if Node.js is too old. It is imported first, so it uses only features of old releases.
const oldest = "20.19";
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const [oldestMajor = 0, oldestMinor = 0] = oldest.split(".").map(Number);

if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  console.error(
    `This site needs Node.js ${oldest} or newer, but this is ${process.versions.node}: install a newer one (nodejs.org).`,
  );
  process.exit(1);
}
