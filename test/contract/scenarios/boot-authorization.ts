// Kickstarts, and boots that are authorized by the code on a console.
import { MANIFEST_PATH, writeManifest } from '../../../shared/services/network-boot/manifest.ts';
import { bootRequest, LISTENER, MEDIUM, manifestOf, TEXT } from '../../setup/boot-scene.ts';
import { PASSWORD } from '../../setup/house.ts';
import type { Given, Scenarios, Scene } from './scenario.ts';

const KICKSTARTS = '/api/v1/network-boot/kickstarts';
const HOSTS = '/api/v1/network-boot/esxi-hosts';
const PLAIN = 'vmaccepteula\ninstall --firstdisk\nrootpw {{ var.root_password }}\nreboot\n';

const fresh = async (scene: Scene): Promise<Given> => ({ name: `Kickstart ${scene.next()}`, text: TEXT });

async function kickstart(scene: Scene): Promise<Given> {
  const { name } = await fresh(scene);
  const { body } = await scene.api('POST', KICKSTARTS, { name, text: TEXT });
  return { name: name!, kickstart_id: body.id, revision: String(body.revision) };
}

/** A host that waits with its code. */
async function waiting(scene: Scene): Promise<Given> {
  const { house } = scene;
  await house.services.store.write((tx) => tx.run(`${MEDIUM} ON CONFLICT DO NOTHING`, ['medium_contract', 'ESXi']));
  const n = scene.next();
  const mac = `00:50:56:0c:${Math.floor(n / 256)}0:${(n % 256).toString(16).padStart(2, '0')}`;
  const { body: made } = await scene.api('POST', KICKSTARTS, { name: `Boot ${n}`, text: PLAIN });
  const { body: host } = await scene.api('POST', HOSTS, {
    hostname: `boot${n}`,
    mac_address: mac,
    kickstart_id: made.id,
    media_id: 'medium_contract',
    variables: { root_password: 'correct horse' },
  });
  const content = writeManifest(await manifestOf(house));
  await house.services.host.write({ path: MANIFEST_PATH, content, mode: 0o600 });
  const path = `/boot/start.ipxe?mac=${mac.replaceAll(':', '-')}&firmware=efi`;
  const { body: script } = await bootRequest(house, path, { host: LISTENER });
  const [, boot_code = ''] = /Boot code: (\S+)/.exec(script) ?? [];
  const row = await house.services.store.one<{ id: string }>('SELECT id FROM boot_attempt WHERE host_id = ?', [
    host.id,
  ]);
  return { host_id: host.id, boot_code, attempt_id: row!.id };
}

const code = ({ boot_code }: Given) => boot_code ?? '';

export const BOOT_AUTHORIZATION: Scenarios = {
  createKickstart: {
    given: fresh,
    audit: ['network-boot.kickstart.create'],
  },
  createKickstartForm: {
    given: fresh,
    send: ({ name }) => ({ form: { name: name!, text: TEXT, enabled: 'on' } }),
    audit: ['network-boot.kickstart.create'],
  },
  getKickstartDetails: { given: kickstart },
  previewKickstart: { given: kickstart },
  updateKickstart: {
    given: kickstart,
    audit: ['network-boot.kickstart.update'],
  },
  updateKickstartForm: {
    given: kickstart,
    send: ({ name, revision }) => ({ form: { name: `${name} b`, text: '', enabled: 'on', revision: revision! } }),
    audit: ['network-boot.kickstart.update'],
  },
  deleteKickstart: { given: kickstart, audit: ['network-boot.kickstart.delete'] },
  deleteKickstartForm: {
    given: kickstart,
    send: ({ revision }) => ({ form: { revision: revision! } }),
    audit: ['network-boot.kickstart.delete'],
  },
  loadKickstartTextForm: {
    given: kickstart,
    send: () => ({ form: { own_password: PASSWORD } }),
    status: 200,
    audit: ['network-boot.kickstart.reveal'],
    statements: 16,
  },
  kickstartPage: { given: kickstart },
  deleteKickstartPage: { given: kickstart },

  authorizeBootOnce: {
    given: waiting,
    audit: ['network-boot.attempt.authorize'],
  },
  authorizeBootOnceForm: {
    given: waiting,
    send: (given) => ({ form: { boot_code: code(given) } }),
    audit: ['network-boot.attempt.authorize'],
    // Whether the user has to wait, and the host of the code, are looked for first.
    statements: 9,
  },
  revokeBootAttempt: { given: waiting, audit: ['network-boot.attempt.revoke'] },
  revokeBootAttemptForm: { given: waiting, audit: ['network-boot.attempt.revoke'] },
};
