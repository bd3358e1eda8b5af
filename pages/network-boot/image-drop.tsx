// Where an installer image is chosen or dropped, and how far its upload is. Hidden until islands/upload-whole.ts is here,
// which does all of it; the shell is the other way.
import { LIMITS } from '../../shared/services/network-boot/esxi-media/limits.ts';
import { PIECE_MOST } from '../../shared/services/network-boot/esxi-media/upload.ts';
import { byteWords } from '../components/byte-words.ts';
import { TextField } from '../components/form.tsx';
import { UploadWork } from '../components/upload-work.tsx';

export interface ImageDropProps {
  /** Path of the media pages. */
  to: string;
  csrf: string;
  /** The medium whose image is sent; null: it is created first. */
  medium: { id: string; size_bytes: number; received_bytes: number } | null;
}

export function ImageDrop({ to, csrf, medium }: ImageDropProps) {
  return (
    <div
      class="upload"
      data-image-to={to}
      data-csrf={csrf}
      data-piece={PIECE_MOST}
      data-most={LIMITS.image}
      data-medium={medium?.id}
      data-size={medium?.size_bytes}
      data-received={medium?.received_bytes}
      hidden
    >
      <div class="upload-pick" data-part="pick">
        <div class="drop">
          <input type="file" id="image-file" class="vh" accept=".iso" />
          <label class="btn btn-primary" for="image-file">
            {medium ? 'Choose its image…' : 'Upload an image…'}
          </label>
          <p class="muted">
            {medium
              ? goesOn(medium)
              : `or drop one here: an ISO file of at most ${byteWords(LIMITS.image)}. A broken upload goes on where it stopped.`}
          </p>
        </div>
        {medium === null && (
          <TextField id="image-name" name="image_name" label="Name" value="" maxlength={64} placeholder="as the file" />
        )}
        <TextField
          id="image-sha256"
          name="sha256"
          label="SHA-256"
          value=""
          mono
          wide
          maxlength={64}
          placeholder="as published with the image; optional"
        />
        <p class="err" data-text="refused" role="alert" tabindex={-1} hidden />
      </div>
      <UploadWork />
    </div>
  );
}

const goesOn = ({ size_bytes, received_bytes }: NonNullable<ImageDropProps['medium']>): string =>
  received_bytes === 0
    ? `or drop it here: the file of ${byteWords(size_bytes)}.`
    : `or drop it here: the file of ${byteWords(size_bytes)} whose upload was begun. ${byteWords(received_bytes)} are here, and it goes on after them.`;
