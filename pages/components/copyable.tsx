// A value that is typed elsewhere: an address, a name, a path. The copy button appears when a script can serve it.
import { More } from './code.tsx';
import { Icon } from './icons.tsx';

interface CopyableProps {
  /** Unique on the page: the script finds the text by it. */
  id: string;
  text: string;
  /** What is seen of a long text; all of it is copied, and shown on hover. */
  shown?: string;
}

export function Copyable({ id, text, shown }: CopyableProps) {
  return (
    <span class="copyable">
      {shown === undefined ? (
        <code id={id}>{text}</code>
      ) : (
        <>
          <code title={text} aria-hidden="true">
            {shown}
          </code>
          <span class="vh" id={id}>
            {text}
          </span>
        </>
      )}
      <button type="button" class="btn btn-row" data-copy={id} aria-label={`Copy ${text}`} hidden>
        <Icon name="copy" />
        Copy
      </button>
    </span>
  );
}

/** The id of a row, folded away: people read names. */
export const CopyableId = ({ id }: { id: string }) => (
  <More summary="Show">
    <Copyable id={`id-${id}`} text={id} />
  </More>
);
