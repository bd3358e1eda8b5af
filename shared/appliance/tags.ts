// Groups of the published document, in reading order. Every tag of an operation stands here.
import { GROUPS } from '../platform/units/manifest.ts';
import { MANIFESTS } from './manifests.ts';

/** Of what no unit is; they follow those of the units, unless one says before which it stands. */
const OWN: readonly (readonly [name: string, sentence: string, before?: string])[] = [
  ['Deployment helper', 'What a VCF or VVF deployment needs before its installer starts.', 'Network boot'],
  ['Vaults', 'Credentials for other machines: values go in, are used by the appliance, and are never answered.'],
  ['Remote machines', 'Which machines the appliance connects to.'],
  ['Apply', 'Plans: what a reviewed apply would change on the host, and doing it.'],
  ['Jobs', 'Durable work: follow it, cancel it.'],
  ['Archives', 'All that is saved, in one file: make it, keep it elsewhere, restore from it.'],
  ['Alerts', 'Conditions that need attention, who is notified, and the thresholds.'],
  ['API tokens', 'Bearer tokens for programs.'],
  ['Users', 'Who may sign in, and with which role.'],
  ['Account', 'Who the caller is, and what the caller may do.'],
  ['Audit', 'Who changed what, when, from where.'],
  ['Service', 'The service itself.'],
];

const ofUnits = GROUPS.flatMap((of) => MANIFESTS.filter(({ group }) => group === of).map(({ tags }) => tags)).flatMap(
  (tags) => Object.entries(tags),
);

export const TAGS: Readonly<Record<string, string>> = Object.fromEntries([
  ...ofUnits.flatMap((tag) => [...OWN.filter(([, , before]) => before === tag[0]), tag]),
  ...OWN.filter(([, , before]) => before === undefined),
]);
