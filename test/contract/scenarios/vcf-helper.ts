// The deployment helper: previews, generated names and their deletion, the check and the files.
import type { Given, Scenarios, Scene } from './scenario.ts';

const INPUTS = ['catalog', 'prefix', 'domain', 'start_ipv4_cidr'] as const;

async function domain(scene: Scene): Promise<Given> {
  const number = scene.next();
  const name = `cloud${number}.test`;
  await scene.api('POST', '/api/v1/dns/zones', { name });
  return { catalog: 'vvf-9.1', prefix: 'm01-', domain: name, start_ipv4_cidr: `10.99.${number % 250}.20/24` };
}

const inputsOf = (given: Given) => Object.fromEntries(INPUTS.map((name) => [name, given[name]!]));

async function previewed(scene: Scene): Promise<Given> {
  const given = await domain(scene);
  const query = new URLSearchParams(inputsOf(given));
  const { body } = await scene.api('GET', `/api/v1/vcf-helper/generated-fqdns/preview?${query}`);
  return { ...given, digest: body.digest };
}

async function generated(scene: Scene): Promise<Given> {
  const given = await domain(scene);
  await scene.api('POST', '/api/v1/vcf-helper/generated-fqdns', inputsOf(given));
  return given;
}

/** A zone that each scenario's house has; the query of a path can't be made from what was given. */
const fixed = (zone: string) => ({
  given: async (scene: Scene) => {
    await scene.house.send('POST', '/api/v1/dns/zones', { token: scene.admin.token, body: { name: zone } });
    return { format: 'csv' };
  },
  query: `?catalog=vcf-9.1&domain=${zone}&start_ipv4_cidr=10.98.0.20/24`,
});

export const VCF_HELPER: Scenarios = {
  previewGeneratedFqdns: { ...fixed('preview.test'), statements: 5 },
  previewGeneratedFqdnsOfSession: { ...fixed('preview.test'), statements: 5 },
  checkGeneratedFqdns: { ...fixed('check.test'), statements: 5 },
  downloadGeneratedFqdns: { ...fixed('file.test'), statements: 5 },
  createGeneratedFqdns: {
    given: domain,
    audit: ['vcf_helper.fqdns.create'],
    statements: 9,
  },
  createGeneratedFqdnsForm: {
    given: previewed,
    send: (given) => ({ form: { ...inputsOf(given), digest: given.digest!, confirm: 'on' } }),
    audit: ['vcf_helper.fqdns.create'],
    statements: 9,
  },
  deleteGeneratedFqdns: {
    given: generated,
    audit: ['vcf_helper.fqdns.delete'],
  },
  deleteGeneratedFqdnsForm: {
    given: generated,
    send: (given) => ({ form: { ...inputsOf(given), confirm: 'on' } }),
    audit: ['vcf_helper.fqdns.delete'],
  },
  vcfHelperPage: fixed('page.test'),
};
