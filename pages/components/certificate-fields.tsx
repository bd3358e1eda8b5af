// Fields for certificates and keys that are uploaded: a file with its passphrase, and PEM that is pasted.
import { FileField, TextArea, TextField } from './form.tsx';

/** A PKCS #12 or PEM file, and its passphrase. The field of the file is refused at `pkcs12`. */
export function CertificateFile({
  labels,
  accept,
  help,
  errorOf,
}: {
  labels: { pkcs12: string; passphrase: string };
  /** Endings of files. */
  accept: string;
  help: string;
  errorOf: (field: string) => string | undefined;
}) {
  return (
    <>
      <FileField name="file" id="pkcs12" label={labels.pkcs12} accept={accept} error={errorOf('pkcs12')} help={help} />
      <TextField
        name="passphrase"
        label={labels.passphrase}
        type="password"
        value=""
        autocomplete="off"
        error={errorOf('passphrase')}
        help="Of the PKCS #12 file. It is not kept."
      />
    </>
  );
}

/** `value`: without any private key. */
export function PemArea({
  begins = false,
  ...props
}: {
  name: string;
  label: string;
  rows: number;
  value: string;
  error: string | undefined;
  help: string;
  /** Shows how a certificate begins. */
  begins?: boolean;
}) {
  return <TextArea {...props} mono {...(begins && { placeholder: '-----BEGIN CERTIFICATE-----' })} />;
}
