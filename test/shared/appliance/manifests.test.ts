// What the manifests say in words holds of what they are about: documents, their members, tables and pages.
import { expect, test } from '@jest/globals';
import { NAVIGATION } from '../../../pages/layout/navigation.ts';
import { MANIFESTS } from '../../../shared/appliance/manifests.ts';
import { SETTINGS } from '../../../shared/appliance/settings.ts';
import { UNITS } from '../../../shared/appliance/units.ts';
import { pageRoute } from '../../../shared/ground/page-paths.ts';
import { CERTIFIED_BY_PLAN } from '../../../shared/kernel/generated/units.ts';

const documentOf = (unit: string, key: string) => SETTINGS.find((each) => each.unit === unit && each.key === key);

test.each(MANIFESTS.map((each) => [each.id, each] as const))('the manifest of %s', (id, manifest) => {
  const { enforces, listeners, tables, tags, resources, pages, comes_back } = manifest;
  const known = Object.keys(resources);
  for (const key of enforces) expect([key, documentOf(id, key)?.key]).toEqual([key, key]);
  for (const { key, page, hostname = [], urls = [], clients = [], opens } of listeners) {
    const document = documentOf(id, key)!;
    expect([key, document.listens === 'no', document.page]).toEqual([key, false, page]);
    const ports = opens.flatMap(({ ports, when = [], clients = [] }) => [ports, when, clients].flat());
    const named = [hostname, urls, clients, ports].flat().filter((each) => typeof each === 'string');
    expect(Object.keys(document.schema.entries)).toEqual(expect.arrayContaining(named));
  }
  for (const { tag, unit } of SETTINGS) if (unit === id) expect(Object.keys(tags)).toContain(tag);
  expect(pages.map(({ resource }) => resource).filter((each) => !known.includes(each))).toEqual([]);
  for (const { found, kept } of tables) {
    if (found) expect(NAVIGATION.some(({ href }) => pageRoute(found.page).startsWith(`${href}/`))).toBe(true);
    // Nobody but an apply keeps rows.
    if (kept) expect(comes_back).toBe('rows');
  }
  expect(comes_back === null || UNITS.some((unit) => unit.id === id)).toBe(true);
  expect(enforces.length === 0 || UNITS.some((unit) => unit.id === id)).toBe(true);
});

test('everything that listens says how it follows its interfaces', () => {
  const listening = SETTINGS.filter(({ listens }) => listens === 'required').map(({ key }) => key);
  expect(MANIFESTS.flatMap(({ listeners }) => listeners.map(({ key }) => key))).toEqual(
    expect.arrayContaining(listening),
  );
});

test('units that bring a certificate to the host say so', () => {
  const bringing = UNITS.filter(({ certificate }) => certificate).map(({ id }) => id);
  expect(CERTIFIED_BY_PLAN).toEqual(bringing);
  expect(bringing.length).toBeGreaterThan(2);
});
