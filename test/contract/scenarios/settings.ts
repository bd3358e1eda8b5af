// The settings of every unit but the name service: each is read, changed by the API and changed by its form.
import { SETTINGS as ALL } from '../../../shared/appliance/settings.ts';
import { BODIES } from '../clients/bodies.ts';
import type { BodiesOf } from '../clients/bodies-of.ts';
import type { Scenarios, Scene } from './scenario.ts';

/** A form sends every switch that is on, every list and every text. */
function fields(document: Record<string, unknown>): Record<string, string> {
  const { revision, updated_at: _at, listen_addresses: _derived, ...members } = document;
  const shown = Object.entries(members).filter(([, value]) => value !== false);
  const text = (value: unknown) => (Array.isArray(value) ? value.join('\n') : value === true ? 'on' : String(value));
  return { ...Object.fromEntries(shown.map(([name, value]) => [name, text(value)])), revision: String(revision) };
}

export const SETTINGS: Scenarios = Object.fromEntries(
  ALL.flatMap(({ key, component, path }) => {
    const id = `update${component}Settings`;
    const next = (BODIES as BodiesOf)[id];
    // The settings whose scenarios stand with the rest of their area.
    if (!next || key === 'dns-dhcp' || key === 'remote') return [];
    const given = async (scene: Scene) => {
      const { body } = await scene.api('GET', `${path}/settings`);
      const n = String(scene.next());
      return { ...fields({ ...body, ...next({ n }) }), n };
    };
    const audit = [`${key}.settings.update`];
    // One more than others: whether records of the host name have to follow.
    const statements = 8;
    return [
      [id, { given, audit, statements }],
      [`${id}Form`, { given, send: ({ n: _n, ...form }) => ({ form }), audit, statements }],
    ] satisfies [string, Scenarios[string]][];
  }),
);
