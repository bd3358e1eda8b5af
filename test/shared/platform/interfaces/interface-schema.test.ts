// Bodies of interface and VLAN edits: what their schemas take, and that they describe each member.
import { describe, expect, test } from '@jest/globals';
import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import {
  physicalInterfaceUpdate,
  vlanCreate,
  vlanUpdate,
} from '../../../../shared/platform/interfaces/interface-schema.ts';

describe('schemas', () => {
  test.each([
    ['physicalInterfaceUpdate', physicalInterfaceUpdate],
    ['vlanCreate', vlanCreate],
    ['vlanUpdate', vlanUpdate],
  ])('%s converts to JSON Schema with a description on each property', (_name, schema) => {
    const json = toJsonSchema(schema, { typeMode: 'input' });
    expect(json.additionalProperties).toBe(false);
    const undescribed = Object.entries(json.properties ?? {}).filter(
      ([, value]) => !(value as { description?: string }).description,
    );
    expect(undescribed).toEqual([]);
  });

  test.each([
    ['null role', { role: null }],
    ['null mtu', { mtu: null }],
    ['null enabled', { enabled: null }],
    ['boolean as text', { enabled: 'true' }],
    ['number as text', { mtu: '1500' }],
    ['fractional MTU', { mtu: 1500.5 }],
    ['MTU 575', { mtu: 575 }],
    ['MTU 9217', { mtu: 9217 }],
    ['unsupported property', { name: 'x' }],
    ['not an object', 'x'],
  ])('refused: %s', (_name, body) => expect(v.safeParse(physicalInterfaceUpdate, body).success).toBe(false));

  test.each([{}, { mtu: 576 }, { mtu: 9216 }, { ipv4_cidr: null }, { role: ' Access ' }])('accepted: %j', (body) =>
    expect(v.safeParse(physicalInterfaceUpdate, body).success).toBe(true),
  );
});
