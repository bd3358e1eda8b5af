// LDAP of VCF Automation: the bind account, the group with its role, and the user who signs in. Kept for the review.
import * as v from 'valibot';
import { type FieldError, invalid, Problem } from '../../shared/ground/problems.ts';
import type { DirectoryHere } from '../../shared/vcf/automation-ldap/local.ts';
import { AUTOMATION_LDAP_TASK, type ChosenDirectory, type FoundThere } from '../../shared/vcf/automation-ldap/task.ts';
import { trustedTarget } from '../../shared/vcf/connection/reach.ts';
import { serverText } from '../../shared/vcf/connection/target.ts';
import { requireDraft, updateDraft } from '../../shared/vcf/remote/draft.ts';
import type { Place } from '../../shared/vcf/remote/wizard.ts';
import { decodeTexts, onwards, TRUSTED, taskForm } from '../../shared/vcf/remote/wizard-operations.ts';

const named = v.optional(v.pipe(v.string(), v.maxLength(300)), '');
const TEXTS = { ...TRUSTED, account: named, group: named, user: named, role: named };
const body = v.strictObject({ ...TEXTS, replace: v.optional(v.boolean(), false) });
type Body = v.InferOutput<typeof body>;

/** `SLUG/NAME`, as the fields have it. */
const parted = (text: string): [slug: string, name: string] => {
  const at = text.indexOf('/');
  return [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
};

async function chosenOf(here: DirectoryHere, found: FoundThere, sent: Body): Promise<ChosenDirectory> {
  const { accountsOf, membersOf, organizationHere } = await import('../../shared/vcf/automation-ldap/local.ts');
  const faults: FieldError[] = [];
  const [slug, account] = parted(sent.account);
  const [from, group] = parted(sent.group);
  const user = sent.user.trim();
  const organization = organizationHere(here, slug);
  if (!organization || !accountsOf(organization).some(({ name }) => name === account))
    faults.push({ pointer: '/account', detail: 'Choose one of these bind accounts.' });
  else if (from !== slug || !organization.groups.some(({ name }) => name === group))
    faults.push({ pointer: '/group', detail: `Choose a group of ${slug}, the organization of the bind account.` });
  else if (!membersOf(organization, group).includes(user)) {
    const detail = `Name a user of the group ${group} who is enabled and has a password.`;
    faults.push({ pointer: '/user', detail });
  }
  const role = found.roles.find(({ id }) => id === sent.role);
  if (!role) faults.push({ pointer: '/role', detail: 'Choose one of the roles that the organization has.' });
  if (found.now && !sent.replace)
    faults.push({ pointer: '/replace', detail: 'Confirm this first: it has LDAP settings.' });
  if (faults.length > 0 || !role) throw invalid(...faults);
  return { slug, account, group, user, role, replaces: found.now !== null };
}

export const operation = taskForm(
  AUTOMATION_LDAP_TASK,
  {
    id: 'automationLdapChooseForm',
    at: 'directory',
    effect: 'immediate',
    summary: 'Choose what VCF Automation gets of the directory',
    description:
      'Changes nothing, here or at VCF Automation: what was chosen is kept for the review. Settings that it has are replaced only with `replace`.',
    body,
    audit: 'none',
    guarded: false,
    problems: ['trust_missing', 'state_conflict'],
    async prepare({ services, actor, body }) {
      const { requireDirectory } = await import('../../shared/vcf/automation-ldap/local.ts');
      const here = await requireDirectory(services);
      const server = serverText(await trustedTarget(services, actor, body.trust));
      const draft = requireDraft(services, actor, AUTOMATION_LDAP_TASK, body.draft, server);
      const found = draft.automation_ldap?.found;
      if (!found) throw new Problem('state_conflict', 'What it has was not read yet.');
      const chosen = await chosenOf(here, found, body);
      return updateDraft(services, draft, { automation_ldap: { found, chosen } }).id;
    },
    async run({ prepared }) {
      return { body: { draft: prepared } };
    },
  },
  {
    decode: (fields) => ({ ...decodeTexts({ entries: TEXTS })(fields), replace: fields.checked('replace') }),
    done: ({ body }, fields) => ({
      location: onwards(AUTOMATION_LDAP_TASK, fields, { ...(body as Pick<Place, 'draft'>), step: 'review' }),
    }),
  },
);
