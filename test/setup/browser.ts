// Debian's Chromium, driven by playwright-core; in a network namespace when one is named.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const PROGRAM = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a browser. In a namespace it runs under `ip netns exec`, so that it is another host of the network. */
export async function startBrowser(namespace?: string): Promise<Browser> {
  if (namespace === undefined) return chromium.launch({ executablePath: PROGRAM, args: FLAGS });
  const folder = mkdtempSync(join(tmpdir(), 'groundcrew-browser-'));
  const wrapper = join(folder, 'chromium');
  writeFileSync(wrapper, `#!/bin/sh\nexec ip netns exec ${namespace} ${PROGRAM} "$@"\n`);
  chmodSync(wrapper, 0o755);
  const browser = await chromium.launch({ executablePath: wrapper, args: FLAGS });
  browser.on('disconnected', () => rmSync(folder, { recursive: true, force: true }));
  return browser;
}
