// An appliance with a Kickstart, a medium and a host that are applied, and the machine that boots: what it asks, as iPXE,
// mboot and the installer ask it. Time is set by the test, by either clock.

import type { Row } from '../../shared/ground/store/database.ts';
import type { GatewayAnswer } from '../../shared/kernel/operation/event.ts';
import { sha256 } from '../../shared/platform/applied/baseline.ts';
import { codeOfClaim, shownCode } from '../../shared/services/network-boot/boot/boot-code.ts';
import { MANIFEST_PATH, type Manifest, writeManifest } from '../../shared/services/network-boot/manifest.ts';
import { type Credentials, House, type HouseOptions } from './house.ts';

export const LISTENER = '10.10.0.5:8081';
export const OTHER_LISTENER = '10.20.0.5:8081';
export const ORIGIN = `http://${LISTENER}`;

/** Secrets that must not be found anywhere. Letters only, so that no encoding splits them. */
export const CANARIES = {
  text: 'CanaryKickstartTextQWZX',
  comment: 'CanaryCommentQWZX',
  script: 'CanaryScriptQWZX',
  variable: 'CanaryVariableQWZX',
} as const;

export const TEXT = `# ${CANARIES.comment}
vmaccepteula
install --firstdisk=local --overwritevmfs
rootpw {{ var.root_password }}
network --bootproto=static --device=vmnic0 --ip={{ host.ip_address }} --hostname={{ host.hostname }}
serialnum --esx=${CANARIES.text}
reboot
%firstboot --interpreter=busybox
echo ${CANARIES.script}
`;

export interface Clocks {
  /** Added to the wall clock, milliseconds. */
  wall: number;
  /** Added to the uptime, milliseconds. */
  uptime: number;
  boot: string;
}

export interface Machine {
  mac: string;
  firmware: 'efi' | 'pcbios';
}

export const MACHINE: Machine = { mac: '00-50-56-01-02-03', firmware: 'efi' };

const LOADERS = JSON.stringify({ efi: 'efi/boot/bootx64.efi', bios: 'pxelinux.0' });
const BOOT_CONFIG = JSON.stringify([
  ['bootstate', '0'],
  ['title', 'Loading ESXi installer'],
  ['timeout', '5'],
  ['prefix', ''],
  ['kernel', '/B.B00'],
  ['kernelopt', 'runweasel cdromBoot'],
  ['modules', '/JUMPSTRT.GZ --- /USEROPTS.GZ'],
  ['build', '9.0.1'],
]);

/** Adds a medium that is ready: id and name. */
export const MEDIUM = `INSERT INTO network_boot_medium
    (id, name, source, state, content_digest, loaders, boot_config, created_at, updated_at)
  VALUES (?, ?, 'upload', 'ready', '${sha256('content')}', '${LOADERS}', '${BOOT_CONFIG}',
    '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`;

export interface BootRequest {
  method?: string;
  host?: string;
  headers?: Record<string, string>;
}

/** A request as the boot listener would hand it on. */
export function bootRequest(
  house: House,
  target: string,
  { method = 'GET', host = LISTENER, headers = {} }: BootRequest = {},
): Promise<GatewayAnswer> {
  return house.appliance.answerBoot(house.event(method, target, { headers: { host, ...headers } }));
}

export class BootScene {
  readonly house: House;
  readonly admin: Credentials;
  readonly clocks: Clocks;
  readonly log: string[];
  kickstart_id = '';
  media_id = 'medium_test';
  host_id = '';

  private constructor(house: House, admin: Credentials, clocks: Clocks, log: string[]) {
    this.house = house;
    this.admin = admin;
    this.clocks = clocks;
    this.log = log;
  }

  /** With a host that could boot now. `options.data`: a folder whose scene was opened before; nothing is added to it. */
  static async open(
    options: HouseOptions = {},
    known?: Pick<BootScene, 'host_id' | 'kickstart_id'>,
  ): Promise<BootScene> {
    const clocks: Clocks = { wall: 0, uptime: 0, boot: 'boot-1' };
    const log: string[] = [];
    const house = await House.open({
      ...options,
      log: (line) => void log.push(line),
      services: {
        clock: { now: () => new Date(Date.now() + clocks.wall) },
        uptime: {
          get boot() {
            return clocks.boot;
          },
          milliseconds: () => Math.floor(performance.timeOrigin + performance.now() + clocks.uptime),
        },
        ...options.services,
      },
    });
    const scene = new BootScene(house, await house.actor('admin'), clocks, log);
    // The clock is set by hours, and a token must not run out meanwhile.
    await scene.write("UPDATE api_token SET expires_at = '2099-01-01T00:00:00.000Z'");
    if (known) Object.assign(scene, { host_id: known.host_id, kickstart_id: known.kickstart_id });
    else await scene.furnish();
    return scene;
  }

  async call(method: string, path: string, body?: unknown, token = this.admin.token) {
    return this.house.send(method, `/api/v1/network-boot${path}`, { token, ...(body !== undefined && { body }) });
  }

  private async furnish(): Promise<void> {
    await this.write(MEDIUM, [this.media_id, 'ESXi 9.0.1']);
    const kickstart = await this.call('POST', '/kickstarts', { name: 'Lab hosts', text: TEXT });
    this.kickstart_id = kickstart.body.id;
    await this.house.send('POST', '/api/v1/dhcp/scopes', {
      token: this.admin.token,
      body: { name: 'boot', address_family: 'ipv4', interface: 'ens192', subnet_cidr: '10.10.0.0/24', ranges: [] },
    });
    this.host_id = await this.addHost('esx01.lab.example', '00:50:56:01:02:03', '10.10.0.21');
    await this.give(this.host_id);
    await this.apply();
  }

  async addHost(hostname: string, mac_address: string, ip_address: string): Promise<string> {
    const created = await this.call('POST', '/esxi-hosts', { hostname, mac_address, ip_address });
    if (created.status !== 201) throw new Error(created.text);
    return created.body.id;
  }

  /** Kickstart, medium and variables. */
  async give(host_id: string): Promise<void> {
    const variables = { root_password: CANARIES.variable };
    const { kickstart_id, media_id } = this;
    const given = await this.call('PATCH', `/esxi-hosts/${host_id}`, { kickstart_id, media_id, variables });
    if (given.status !== 200) throw new Error(given.text);
  }

  async write(sql: string, parameters: (string | number | null)[] = []): Promise<void> {
    await this.house.services.store.write((tx) => tx.run(sql, parameters));
  }

  /** The applied state becomes the saved one, as the apply of the unit would make it. */
  async apply(): Promise<void> {
    const manifest = await manifestOf(this.house);
    await this.house.services.host.write({ path: MANIFEST_PATH, content: writeManifest(manifest), mode: 0o600 });
  }

  boot(target: string, request: BootRequest = {}): Promise<GatewayAnswer> {
    return bootRequest(this.house, target, request);
  }

  menu(machine: Machine = MACHINE) {
    return this.boot(`/boot/menu.ipxe?mac=${machine.mac}&firmware=${machine.firmware}`);
  }

  /** The choice on the console. */
  async start(machine: Machine = MACHINE): Promise<{ code: string; claim: string; script: string }> {
    const answer = await this.boot(`/boot/start.ipxe?mac=${machine.mac}&firmware=${machine.firmware}`);
    const [, code = ''] = /Boot code: ([A-Z]{4}-[A-Z]{4})/.exec(answer.body) ?? [];
    const [, claim = ''] = /\/boot\/attempts\/([A-Za-z0-9_-]{43})\//.exec(answer.body) ?? [];
    if (claim && code !== shownCode(codeOfClaim(this.house.services.keys, claim))) throw new Error('another code');
    return { code, claim, script: answer.body };
  }

  poll(claim: string) {
    return this.boot(`/boot/attempts/${claim}/poll.ipxe`);
  }

  authorize(boot_code: unknown, host_id = this.host_id, token = this.admin.token) {
    return this.call('POST', `/esxi-hosts/${host_id}/authorize-boot-once`, { boot_code }, token);
  }

  /** Path of the Kickstart, as boot.cfg names it. */
  async kickstartPath(claim: string): Promise<string> {
    const config = await this.boot(`/boot/attempts/${claim}/boot.cfg`);
    return / ks=http:\/\/[^/]+(\/\S+)/.exec(config.body)?.[1] ?? '';
  }

  /** From the choice to an authorized attempt. */
  async ready(
    machine: Machine = MACHINE,
    host_id = this.host_id,
  ): Promise<{ code: string; claim: string; path: string }> {
    const { code, claim } = await this.start(machine);
    const answer = await this.authorize(code, host_id);
    if (answer.status !== 202) throw new Error(answer.text);
    return { code, claim, path: await this.kickstartPath(claim) };
  }

  async attempts(): Promise<Row[]> {
    return this.house.services.store.all('SELECT * FROM boot_attempt ORDER BY created_at DESC, id DESC');
  }

  async last(): Promise<Row> {
    return (await this.attempts())[0]!;
  }
}

/** What the unit renders of the saved rows. */
export async function manifestOf({ services }: House, listeners = [LISTENER, OTHER_LISTENER]): Promise<Manifest> {
  const { store } = services;
  const all = (sql: string) => store.all<Record<string, string>>(sql);
  const hosts = await all('SELECT * FROM network_boot_host WHERE enabled = 1 ORDER BY id');
  const kickstarts = await all('SELECT * FROM network_boot_kickstart ORDER BY id');
  const media = await all("SELECT * FROM network_boot_medium WHERE state = 'ready' ORDER BY id");
  return {
    version: 1,
    listeners: listeners.map((authority, at) => ({
      interface: `ens${at}`,
      address: authority.split(':')[0]!,
      port: 8081,
      origin: `http://${authority}`,
    })),
    hosts: hosts.map((row) => ({
      id: row.id!,
      hostname: row.hostname!,
      mac_address: row.mac_address!,
      ip_address: row.ip_address!,
      kickstart_id: row.kickstart_id ?? null,
      media_id: row.media_id ?? null,
      variables: row.variables_sealed!,
      variables_digest: row.variables_digest!,
    })),
    kickstarts: kickstarts.map((row) => ({
      id: row.id!,
      name: row.name!,
      revision: row.text_revision!,
      text: row.text_sealed!,
    })),
    media: media.map((row) => ({
      id: row.id!,
      name: row.name!,
      content_digest: row.content_digest!,
      loaders: JSON.parse(row.loaders!),
      boot_config: JSON.parse(row.boot_config!),
    })),
  };
}
