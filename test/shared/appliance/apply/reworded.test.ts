// Words are a view: with every label said otherwise, a lab's plans have the same digests, reasons, risks and confirm windows.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from '../../../../build/source-tree.ts';
import { draftPlan, type PlanWish } from '../../../../shared/appliance/apply/make-plan.ts';
import { dnsOf } from '../../../../shared/appliance/overview/public-services.ts';
import { UNITS } from '../../../../shared/appliance/units.ts';
import { UNIT_NAMES } from '../../../../shared/kernel/generated/units.ts';
import { saveBaseline } from '../../../../shared/platform/applied/baseline.ts';
import { VALUES } from '../../../../shared/platform/network/words.ts';
import { type UnitId, unitName } from '../../../../shared/platform/unit-names.ts';
import { LABELS } from '../../../../shared/services/firewall/service-ports.ts';
import { house, saved } from '../../../handlers/apply/apply-scene.ts';
import { EDITS, edit, lab } from '../../../handlers/apply/restore-plan-scene.ts';

type Say = (...given: unknown[]) => string | readonly string[];

/** Words of units, wherever a unit has some: a table that is not among them would be reworded by nobody. */
const TABLES: Record<string, Say>[] = [
  VALUES as Record<string, Say>,
  ...(await Promise.all(
    globSync('shared/{platform,services}/**/words.ts', { cwd: ROOT }).map(
      async (path) => ((await import(join(ROOT, path))) as { WORDS: Record<string, Say> }).WORDS,
    ),
  )),
];
/** A reason as a whole, with the unit's id in the place of its label. */
const FOLLOWS = 'required by network';
const LABELLED = '¿';
/** Nothing of a text stays as it was, and what it begins or ends with least of all. */
const reworded = (text: string): string => `${LABELLED}${[...text].reverse().join('').toUpperCase()}${LABELLED}`;

/** Answers how to say everything as before. */
function rewordAll(): () => void {
  const undo: (() => void)[] = [];
  const replace = <T extends object>(table: T, key: keyof T, value: T[keyof T]) => {
    const was = table[key];
    undo.push(() => void Object.assign(table, { [key]: was }));
    table[key] = value;
  };
  for (const table of TABLES) {
    for (const [kind, say] of Object.entries(table)) {
      replace(table, kind, (...given) => {
        const said = say(...given);
        return typeof said === 'string' ? reworded(said) : said.map(reworded);
      });
    }
  }
  for (const [service, label] of Object.entries(LABELS)) replace(LABELS, service, reworded(label));
  for (const [unit, name] of Object.entries(UNIT_NAMES)) replace(UNIT_NAMES, unit as UnitId, reworded(name));
  return () => {
    for (const each of undo) each();
  };
}

const WISHES: readonly PlanWish[] = [
  {},
  ...UNITS.map(({ id }) => ({ units: [id] })),
  { units: UNITS.map(({ id }) => id), reapply: true },
];

/** All that a plan decides, of each wish; and the words of its first review. */
async function decided() {
  const services = { ...house.services, host: { ...house.services.host, enforces: true } };
  // The longest first: one may begin with another.
  const labels = UNITS.map(({ id }) => [unitName(id), id] as const).sort(([a], [b]) => b.length - a.length);
  const unlabelled = (text: string) => labels.reduce((rest, [label, id]) => rest.replaceAll(label, id), text);
  const decisions: unknown[] = [];
  const words: string[] = [];
  for (const wish of WISHES) {
    const arrival = { local: '192.168.10.2', remote: '192.168.10.9' };
    const { plan, materials } = await draftPlan(services, UNITS, 'test', { ...wish, arrival });
    for (const [at, { label: _l, raw: _r, says, interruption, diff, reason, ...unit }] of plan.units.entries()) {
      const { facts, files, desired, unit: definition } = materials[at]!;
      const { rows, ...counts } = diff;
      words.push(...rows.flatMap(({ setting, before, after }) => [setting, before ?? '', after ?? '']));
      decisions.push({
        ...unit,
        ...counts,
        rows: rows.length,
        says: says.length,
        interrupts: interruption !== 'none',
        reason: unlabelled(reason),
        baseline: await saveBaseline(house.data, facts, files, definition.remember(desired)),
        dns: definition.id === 'dns-dhcp' && dnsOf(facts),
      });
    }
    const { digest, confirm, changes_filter, left_out, unchanged } = plan;
    decisions.push({
      digest,
      confirm,
      changes_filter,
      left: left_out.map(unlabelled),
      same: unchanged.map(unlabelled),
    });
  }
  return { decisions, words: words.filter(Boolean) };
}

test('rewording every label changes no digest and no decision', async () => {
  await lab();
  // The time service only follows the network.
  await edit(Object.keys(EDITS).filter((unit) => unit !== 'ntp'));
  await saved(
    ['PATCH', '/api/v1/firewall/settings', { enabled: true, management_networks: [] }],
    ['PATCH', '/api/v1/network-boot/settings', { tftp_enabled: false }],
  );
  const before = await decided();
  const sayAsBefore = rewordAll();
  const after = await decided().finally(sayAsBefore);
  expect(after.decisions).toEqual(before.decisions);
  // It shows all kinds of decisions, and everything that was read is said otherwise.
  const all = JSON.stringify(before.decisions);
  for (const one of [`"${FOLLOWS}"`, 'both concern', '"because":["', '"addresses":["', '"risk":"high"'])
    expect(all).toContain(one);
  expect(after.words.filter((text) => !text.startsWith(LABELLED))).toEqual([]);
  expect(after.words.length).toBe(before.words.length);
}, 300_000);
