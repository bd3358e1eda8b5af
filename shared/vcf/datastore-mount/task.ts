// Mounting a datastore of this appliance on ESX hosts, or unmounting it there, as a task of the remote wizard.
import { pagePath } from '../../ground/page-paths.ts';
import type { WizardTask } from '../remote/wizard.ts';
import type { NasHost, NasSpec } from '../vsphere/nas-datastores.ts';

export const MOUNT_TASK: WizardTask = {
  id: 'datastore-mount',
  title: 'Mount on hosts',
  intro: 'Mounts a datastore of this appliance on ESX hosts, or unmounts it there, through a vCenter or on one host.',
  path: pagePath('mount-datastores'),
  above: { href: pagePath('storage'), label: 'Storage' },
  scope: 'write:storage',
  purpose: 'datastore-mount',
  machine: 'the vCenter or ESX host',
  own: [
    { id: 'hosts', label: 'Hosts' },
    { id: 'review', label: 'Review' },
  ],
  reads: true,
  missing: ({ nas }) => (nas?.chosen ? null : 'hosts'),
  reviewed: ({ nas }) => nas?.chosen ?? null,
};

/** The page that follows a job. */
export const taskHref = (job_id: string): string => `${MOUNT_TASK.path}/tasks/${encodeURIComponent(job_id)}`;

export type MountAction = 'mount' | 'unmount';

export interface ChosenMount {
  action: MountAction;
  datastore: NasSpec;
  hosts: Pick<NasHost, 'id' | 'name' | 'system'>[];
}

export interface MountDraft {
  /** Hosts that the vCenter has, or the one. */
  found: NasHost[];
  chosen?: ChosenMount;
}

declare module '../remote/draft.ts' {
  interface OwnDrafts {
    nas: MountDraft;
  }
}
