// A PEM text as a file to save, in the page itself: no address leads to it.
export function PemFile({ name, pem, label }: { name: string; pem: string; label: string }) {
  const base64 = Buffer.from(pem).toString('base64');
  return (
    <a class="btn btn-row" download={name} href={`data:application/x-pem-file;base64,${base64}`}>
      {label}
    </a>
  );
}
