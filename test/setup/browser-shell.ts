// The same engine without a browser's own windows and services: for looks at many pages, which it draws in half the time.
import type { Browser } from 'playwright-core';
import { launch } from './browser.ts';

const PROGRAM = process.env.CHROMIUM_SHELL ?? '/usr/bin/chromium-headless-shell';

export const startShell = (): Promise<Browser> => launch({ executablePath: PROGRAM });
