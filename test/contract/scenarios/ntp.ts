// Time sources.
import type { Scenarios, Scene } from './scenario.ts';

const fresh = async (scene: Scene) => ({ address: `time${scene.next()}.lab.test` });

async function source(scene: Scene) {
  const { body } = await scene.api('POST', '/api/v1/ntp/sources', await fresh(scene));
  return { source_id: body.id as string, address: body.address as string, revision: String(body.revision) };
}

export const NTP: Scenarios = {
  createNtpSource: { given: fresh, audit: ['ntp.source.create'] },
  createNtpSourceForm: {
    given: fresh,
    send: ({ address }) => ({ form: { address: address!, kind: 'server', nts: 'on', enabled: 'on' } }),
    audit: ['ntp.source.create'],
  },
  getNtpSource: { given: source },
  updateNtpSource: { given: source, audit: ['ntp.source.update'] },
  updateNtpSourceForm: {
    given: source,
    send: ({ address, revision }) => ({
      form: { address: address!, kind: 'pool', enabled: 'on', revision: revision! },
    }),
    audit: ['ntp.source.update'],
  },
  deleteNtpSource: { given: source, audit: ['ntp.source.delete'] },
  deleteNtpSourceForm: {
    given: source,
    send: ({ revision }) => ({ form: { revision: revision! } }),
    audit: ['ntp.source.delete'],
  },

  ntpSourcePage: { given: source },
  deleteNtpSourcePage: { given: source },
};
