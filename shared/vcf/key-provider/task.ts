// Registering the KMIP server of this appliance as a key provider of a vCenter, as a task of the remote wizard.
import { pagePath } from '../../ground/page-paths.ts';
import type { WizardTask } from '../remote/wizard.ts';
import type { KeyProvider, KmipServer } from '../vsphere/key-providers.ts';

export const KEY_PROVIDER_TASK: WizardTask = {
  id: 'key-provider',
  title: 'Register at vCenter',
  intro:
    'Makes the KMIP server of this appliance a standard key provider of a vCenter, and exchanges the certificates that both sides need.',
  path: pagePath('register-key-provider'),
  above: { href: pagePath('kms'), label: 'Key management' },
  scope: 'write:kms',
  purpose: 'key-provider-registration',
  machine: 'the vCenter',
  own: [
    { id: 'provider', label: 'Key provider' },
    { id: 'review', label: 'Review' },
  ],
  reads: true,
  missing: ({ key_provider }) => (key_provider?.chosen ? null : 'provider'),
  reviewed: ({ key_provider }) => key_provider ?? null,
};

/** The page that follows a job. */
export const taskHref = (job_id: string): string => `${KEY_PROVIDER_TASK.path}/tasks/${encodeURIComponent(job_id)}`;

/** What was chosen for the review. */
export interface ChosenProvider {
  /** Of this appliance; empty: a new one, of `provider_name`. */
  provider_id: string;
  provider_name: string;
  /** Name of the key provider in vCenter. */
  cluster: string;
  server: KmipServer;
  /** Certificate of the KMIP server that vCenter is to trust. */
  server_sha256: string;
  make_default: boolean;
}

export interface KeyProviderDraft {
  /** Key providers that the vCenter has. */
  found: KeyProvider[];
  chosen?: ChosenProvider;
}

declare module '../remote/draft.ts' {
  interface OwnDrafts {
    key_provider: KeyProviderDraft;
  }
}

/** vCenter compares names without regard to case in most places. */
export const providerNamed = (found: readonly KeyProvider[], name: string): KeyProvider | undefined =>
  found.find(({ id }) => id.toLowerCase() === name.toLowerCase());

/** Where vCenter may reach the KMIP server. */
export interface Place {
  address: string;
  port: number;
}

/** `kms.lab.example:5696`, `[2001:db8::1]:5696` */
export const placeText = ({ address, port }: Place): string =>
  `${address.includes(':') ? `[${address}]` : address}:${port}`;
