// The unit "NTP": the appliance's own clock, and the time for others.
import { remembered } from '../../platform/certificate-authority/daemon-certificate.ts';
import type { UnitDefinition } from '../../platform/units/unit.ts';
import { activate } from './activate.ts';
import { check } from './check.ts';
import { load, type NtpDesired } from './desired.ts';
import { drift } from './drift.ts';
import { facts, follows } from './facts.ts';
import { impact } from './impact.ts';
import { probe } from './probe.ts';
import { render } from './render.ts';
import { ntpSettings } from './settings.ts';
import { words } from './words.ts';

export const ntpUnit: UnitDefinition<NtpDesired> = {
  id: 'ntp',
  load,
  facts,
  words,
  follows,
  render,
  impact,
  check,
  activate,
  remember: (desired) => ({ ...desired, certificate: remembered(desired.certificate) }),
  nothing: { settings: ntpSettings.defaults, listen: [], elsewhere: [], sources: [], certificate: null },
  probe: (host, desired) => probe(host, desired),
  drift,
  onlyRuns: true,
};
