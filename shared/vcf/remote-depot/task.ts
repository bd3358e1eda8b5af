// Configuring the offline depot on another appliance, as a task of the remote wizard.
import { pagePath } from '../../ground/page-paths.ts';
import type { WizardTask } from '../remote/wizard.ts';

export const DEPOT_TASK: WizardTask = {
  id: 'offline-depot',
  title: 'Configure offline depot',
  intro:
    'Points a VCF Installer or an SDDC Manager at the offline depot of this appliance, and has it fetch what is there.',
  path: pagePath('configure-depot'),
  above: { href: pagePath('vcf-helper'), label: 'Deployment helper' },
  scope: 'write:depot',
  purpose: 'depot-configuration',
  machine: 'the VCF Installer or SDDC Manager',
  own: [
    { id: 'depot', label: 'Offline depot' },
    { id: 'review', label: 'Review' },
  ],
  reads: true,
  entry: 'inspect-target',
  missing: ({ depot }) => (depot?.checked ? null : 'depot'),
};

/** The page that follows a job. */
export const taskHref = (job_id: string): string => `${DEPOT_TASK.path}/tasks/${encodeURIComponent(job_id)}`;
