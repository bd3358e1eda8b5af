// A form that is complete as it comes: the script sends it at once, and without script its button does.
export function sendNow(): void {
  document.querySelector<HTMLFormElement>('form[data-send-now]')?.requestSubmit();
}
