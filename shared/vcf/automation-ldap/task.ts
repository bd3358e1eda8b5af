// Giving the directory of this appliance to an organization of VCF Automation, as a task of the remote wizard.
import { pagePath } from '../../ground/page-paths.ts';
import type { EntityRef } from '../automation-api/session.ts';
import type { WizardTask } from '../remote/wizard.ts';

export const AUTOMATION_LDAP_TASK: WizardTask = {
  id: 'automation-ldap',
  title: 'LDAP of VCF Automation',
  intro:
    'Makes this directory the LDAP of an organization of VCF Automation 9.x, and gives one of its groups a role there.',
  path: pagePath('automation-ldap'),
  above: { href: pagePath('ldap'), label: 'LDAP' },
  scope: 'write:ldap',
  purpose: 'automation-ldap',
  machine: 'VCF Automation',
  own: [
    { id: 'directory', label: 'Directory' },
    { id: 'review', label: 'Review' },
  ],
  reads: true,
  missing: ({ automation_ldap }) => (automation_ldap?.chosen ? null : 'directory'),
  reviewed: ({ automation_ldap }) => automation_ldap ?? null,
};

/** The page that follows a job. */
export const taskHref = (job_id: string): string => `${AUTOMATION_LDAP_TASK.path}/tasks/${encodeURIComponent(job_id)}`;

/** What was read with the login. */
export interface FoundThere {
  /** That of the login. */
  organization: EntityRef;
  /** Of all settings, so that a change since then is seen. */
  mark: string;
  /** Null: it has no LDAP. */
  now: { enabled: boolean; source: string; url: string; search_base: string; user_name: string } | null;
  roles: EntityRef[];
  trusts_root: boolean;
}

/** What was chosen for the review. Names of this directory, as they are in force. */
export interface ChosenDirectory {
  /** Short name of the organization here. */
  slug: string;
  account: string;
  group: string;
  /** A member of the group. */
  user: string;
  role: EntityRef;
  /** It takes the place of other settings, which was confirmed. */
  replaces: boolean;
}

export interface AutomationLdapDraft {
  found: FoundThere;
  chosen?: ChosenDirectory;
}

declare module '../remote/draft.ts' {
  interface OwnDrafts {
    automation_ldap: AutomationLdapDraft;
  }
}
