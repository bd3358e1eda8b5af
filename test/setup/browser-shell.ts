// The same engine without a browser's own windows and services: for looks at many pages, which it draws in half the time.
import type { Browser } from 'playwright-core';
import { FLAGS, launch } from './browser.ts';

const PROGRAM = process.env.CHROMIUM_SHELL ?? '/usr/bin/chromium-headless-shell';

/** `name` is found at 127.0.0.1: there a browser treats plain HTTP as it does on a network, not as it does on loopback. */
export const startShell = (name?: string): Promise<Browser> =>
  launch({
    executablePath: PROGRAM,
    ...(name !== undefined && { args: [...FLAGS, `--host-resolver-rules=MAP ${name} 127.0.0.1`] }),
  });
