// The same engine without a browser's own windows and services: for looks at many pages, which it draws in half the time.
import { type Browser, chromium } from 'playwright-core';
import { FLAGS } from './browser.ts';

const PROGRAM = process.env.CHROMIUM_SHELL ?? '/usr/bin/chromium-headless-shell';

export const startShell = (): Promise<Browser> => chromium.launch({ executablePath: PROGRAM, args: FLAGS });
