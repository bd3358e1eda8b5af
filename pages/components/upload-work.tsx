// How far the upload of a whole file is, for islands/upload-whole.ts to fill in.
export function UploadWork() {
  return (
    <div class="upload-work" data-part="work" hidden>
      <p>
        <strong class="mono" data-text="name" /> <span class="st" data-text="state" role="status" />
      </p>
      <div class="told told-running">
        <progress max={1000} value={0} aria-label="Upload" />
        <p>
          <b class="share" data-text="share" />
          <span data-text="bytes" />
          <span data-text="rate" />
          <span data-text="left" />
        </p>
      </div>
      <p class="err" data-text="trouble" role="alert" tabindex={-1} hidden />
      <div class="along-row">
        <button type="button" class="btn" data-do="pause">
          Pause
        </button>
        <button type="button" class="btn btn-primary" data-do="resume" hidden>
          Go on
        </button>
      </div>
    </div>
  );
}
