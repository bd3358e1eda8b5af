// The unit "Web terminal": a UNIX socket whose every connection is one `sshd -i`, and the manifest that the WebSocket follows.
import type { UnitDefinition } from '../../platform/units/unit.ts';
import { activate } from './activate.ts';
import { check } from './check.ts';
import { load, NO_TERMINAL, type TerminalDesired } from './desired.ts';
import { drift } from './drift.ts';
import { facts, follows } from './facts.ts';
import { impact } from './impact.ts';
import { probe } from './probe.ts';
import { render } from './render.ts';
import { words } from './words.ts';

export const webTerminalUnit: UnitDefinition<TerminalDesired> = {
  id: 'web-terminal',
  load,
  facts,
  words,
  follows,
  render,
  impact: (change) => impact(change),
  check,
  activate,
  remember: (desired) => desired,
  nothing: NO_TERMINAL,
  probe: (host, desired) => probe(host, desired),
  drift,
  onlyRuns: true,
};
