// Networks and properties of an OVF that are named as every object's inherited members are.
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import type { OvaPackage, OvfProperty } from '../../../../shared/ground/ova/types.ts';
import { deploymentFaults, readDeployment, typedDeploymentSchema } from '../../../../shared/vcf/deployment/request.ts';

const property = (key: string): OvfProperty => ({
  ...{ key, category: '', label: '', description: '', kind: 'text', type: 'string', password: true },
  ...{ user_configurable: true, required: false, default: '', defaults_by_option: {}, choices: null },
  ...{ min_length: null, max_length: null, minimum: null, maximum: null },
});

const pkg = {
  descriptor: {
    networks: [{ name: 'constructor', description: '' }],
    properties: [property('toString')],
    deployment_options: [],
  },
  descriptor_xml: '',
  manifest: new Map(),
  size: 1,
} as unknown as OvaPackage;

const typed = v.parse(typedDeploymentSchema, {
  name: 'machine',
  placement: { datacenter_id: 'a', pool_id: 'b', datastore_id: 'c', networks: {} },
});

test('a network that nobody chose is asked for, whatever it is called', () => {
  expect(deploymentFaults(pkg.descriptor, typed).map(({ pointer }) => pointer)).toEqual([
    '/placement/networks/constructor',
  ]);
});

test('a secret that nobody typed is none, whatever it is called', () => {
  const without = { ...pkg, descriptor: { ...pkg.descriptor, networks: [] } };
  const chosen = { target: {}, stored: null, file: 'box.ova', pkg: without, place: '' } as never;
  expect(readDeployment(chosen, typed).request.secret_properties).toEqual([]);
});
