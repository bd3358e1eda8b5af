// Stays from a month before the certificate of the management UI ends until another one is shown.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Block } from '../components/block.tsx';
import { PageButton } from '../components/page-link.tsx';
import { exact } from '../components/time-words.ts';

export function EndingNote({ not_after, now, linked }: { not_after: string; now: string; linked?: true }) {
  const ended = not_after < now;
  return (
    <Block
      title={`The certificate of the management UI ${ended ? 'has ended' : 'ends soon'}`}
      level={2}
      {...(linked && { actions: <PageButton href={pagePath('management-tls')}>Management TLS</PageButton> })}
    >
      {ended ? 'It ended' : 'It ends'} at {exact(not_after)}. From then on browsers that trusted it refuse its host
      names, with no way past the warning: apply another certificate.
    </Block>
  );
}
