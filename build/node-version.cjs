// Preloaded by the npm scripts (`node -r`): an older Node can't read TypeScript and would only say so in a stack trace.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Groundcrew's tools need Node 22.18 or newer, this is ${process.versions.node}: run them through npm after \`npm ci\`, which brings Node 24.`,
  );
  process.exit(1);
}
