// Where an archive is chosen or dropped, and how far its upload is. Hidden until islands/upload-whole.ts is here, which does all
// of it: a form has room for a small one only.
import { ARCHIVE_BYTES_MOST, UPLOADS_MOST } from '../../shared/appliance/archive/kept.ts';
import { UPLOAD_HOURS } from '../../shared/platform/uploads/abandoned.ts';
import { PIECE_MOST } from '../../shared/platform/uploads/pieces.ts';
import { byteWords } from '../components/byte-words.ts';
import { UploadWork } from '../components/upload-work.tsx';
import { ARCHIVES } from './words.ts';

export interface ArchiveDropProps {
  csrf: string;
  /** Whose upload was begun; null: it is begun first. */
  archive: { id: string; size_bytes: number; received_bytes: number } | null;
}

export function ArchiveDrop({ csrf, archive }: ArchiveDropProps) {
  return (
    <div
      class="upload"
      data-archive-to={ARCHIVES.href}
      data-csrf={csrf}
      data-piece={PIECE_MOST}
      data-most={ARCHIVE_BYTES_MOST}
      data-archive={archive?.id}
      data-size={archive?.size_bytes}
      data-received={archive?.received_bytes}
      hidden
    >
      <div class="upload-pick" data-part="pick">
        <div class="drop">
          <input type="file" id="archive-file" class="vh" accept=".gcarchive,.age,.json" />
          <label class="btn btn-primary" for="archive-file">
            {archive ? 'Choose its file…' : 'Choose an archive…'}
          </label>
          <p class="muted">{archive ? goesOn(archive) : BEGINS}</p>
        </div>
        <p class="err" data-text="refused" role="alert" tabindex={-1} hidden />
      </div>
      <UploadWork />
    </div>
  );
}

const BEGINS = `or drop one here: at most ${byteWords(ARCHIVE_BYTES_MOST)}. A broken upload goes on where it stopped, on the page of the archive, within ${UPLOAD_HOURS} hours; ${UPLOADS_MOST} may be unfinished at a time.`;

const goesOn = ({ size_bytes, received_bytes }: NonNullable<ArchiveDropProps['archive']>): string =>
  received_bytes === 0
    ? `or drop it here: the file of ${byteWords(size_bytes)}.`
    : `or drop it here: the file of ${byteWords(size_bytes)} whose upload was begun. ${byteWords(received_bytes)} are here, and it goes on after them.`;
