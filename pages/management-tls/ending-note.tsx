// Stays from a month before the certificate of the management UI ends until another one is shown.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Block } from '../components/block.tsx';
import { PageButton } from '../components/page-link.tsx';

export function EndingNote({ not_after, now, linked }: { not_after: string; now: string; linked?: true }) {
  const ended = not_after < now;
  return (
    <Block
      title={`The certificate of the management UI ${ended ? 'has ended' : 'ends soon'}`}
      level={2}
      {...(linked && { actions: <PageButton href={pagePath('management-tls')}>Management TLS</PageButton> })}
    >
      {ended ? 'It ended' : 'It ends'} at {not_after}. Browsers that were here before then let nobody go on under its
      names: bring another one in force.
    </Block>
  );
}
