// `npm run lint`: reads the repository's files and prints what breaks the house rules, one `path:line rule message` each.

import { isIP } from 'node:net';
import { dirname } from 'node:path';
import { lint, medianLength, type Surroundings } from './lint-rules.ts';
import { ROOT, textFiles } from './source-tree.ts';

/** Folders that every machine has: a path there is about the appliance, not about who built it. */
const EVERYWHERE = new Set(['/', '/tmp', '/home', '/root', '/opt', '/srv', '/usr', '/var', '/var/tmp', '/mnt', '/etc']);

function surroundings(): Surroundings {
  const parent = dirname(ROOT);
  const host = URL.parse(process.env.npm_config_registry ?? '')?.hostname ?? '';
  return {
    checkoutParent: EVERYWHERE.has(parent) ? null : parent,
    registryHosts: host.includes('.') && isIP(host) === 0 ? [host] : [],
  };
}

const sources = textFiles();
const findings = lint(sources, surroundings());
for (const { path, line, rule, message } of findings) console.log(`${path}:${line} ${rule} ${message}`);
console.log(`house rules: ${sources.size} files, median ${medianLength(sources)} lines, ${findings.length} findings`);
if (findings.length > 0) process.exitCode = 1;
