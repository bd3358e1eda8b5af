// Words and small parts that the pages of the schedule share.
import type { Schedule } from '../../shared/appliance/archive/schedule/document.ts';
import { type ArchiveStanding, standingFault } from '../../shared/appliance/archive/schedule/standing.ts';
import type { TargetKind } from '../../shared/appliance/archive/schedule/target.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Block } from '../components/block.tsx';
import { ButtonLink } from '../components/button.tsx';

export const SCHEDULE = { href: pagePath('archive-schedule'), label: 'Schedule' };

export const KIND_WORDS: Record<TargetKind, string> = {
  folder: 'Folder of this appliance',
  sftp: 'SFTP server',
  s3: 'S3 bucket',
};

export const SECRET_WORDS = {
  password: 'Password',
  private_key: 'Private key',
  secret_access_key: 'Secret access key',
};

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export const dayWords = capital;

export const timeWords = ({ every, weekday, at }: Schedule): string =>
  every === 'daily' ? `Daily at ${at} UTC` : `Every ${capital(weekday)} at ${at} UTC`;

export function keepWords({ keep_last, keep_daily, keep_weekly, keep_monthly }: Schedule): string {
  const spans = [
    [keep_daily, 'days'],
    [keep_weekly, 'weeks'],
    [keep_monthly, 'months'],
  ] as const;
  const newest = spans.filter(([count]) => count > 0).map(([count, span]) => `${count} ${span}`);
  return `The last ${keep_last}${newest.length > 0 ? `, and the newest of ${newest.join(', ')}` : ''}`;
}

/** What somebody has to look at; nothing where there is nothing. */
export function StandingNote({ standing }: { standing: ArchiveStanding }) {
  const fault = standingFault(standing);
  if (fault === null) return null;
  return (
    <Block
      level={2}
      title={standing.state === 'no-target' ? 'Archives have no target' : 'Copies of archives are overdue'}
      actions={<ButtonLink href={SCHEDULE.href}>Schedule of archives</ButtonLink>}
    >
      {fault}
    </Block>
  );
}
