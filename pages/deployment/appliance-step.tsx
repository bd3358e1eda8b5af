// Which OVA is deployed, under which name, and the agreement that comes with it.
import { agreementMark } from '../../shared/vcf/deployment/choose.ts';
import type { Agreement } from '../../shared/vcf/deployment/wizard-view.ts';
import { Button } from '../components/button.tsx';
import { byteWords } from '../components/byte-words.ts';
import { More } from '../components/code.tsx';
import { CheckField, FormActions, HiddenField, RadioField, TextField } from '../components/form.tsx';
import { Back, StepForm } from '../remote/wizard.tsx';
import type { DeploymentStep } from './deployment.tsx';

export function Appliance(props: DeploymentStep) {
  const { view, typed, data } = props;
  const { appliance: chosen } = data.chosen;
  const accepted = view.draft?.deployment?.appliance !== undefined;
  const usable = data.agreements.filter(({ fault }) => fault === null);
  const sizes = new Map(data.appliances.map(({ file, size_bytes }) => [file, size_bytes]));
  const left = data.appliances.length - data.agreements.length;
  const offered = usable.some(({ file }) => file === chosen?.file) ? chosen!.file : (usable[0]?.file ?? '');
  const agreements = Map.groupBy(
    usable.filter(({ texts }) => texts.length > 0),
    ({ texts }) => agreementMark(texts),
  );
  return (
    <StepForm {...props} to="appliance" label="Appliance">
      <RadioField
        name="file"
        label="OVA"
        look="columns"
        value={typed.text('file', offered)}
        error={typed.of('file')}
        help={left > 0 ? `The newest ${data.agreements.length}; the depot has ${left} more.` : undefined}
        options={data.agreements.map(({ file, fault, product }) => ({
          value: file,
          label: (
            <>
              <span class="mono wrap">{file}</span>
              <span class="muted line">
                {product} {byteWords(sizes.get(file) ?? 0)}
              </span>
            </>
          ),
          ...(fault !== null && { unavailable: fault }),
        }))}
      />
      <TextField
        name="name"
        label="Name"
        mono
        wide
        value={typed.text('name', chosen?.name ?? data.free_name)}
        error={typed.of('name')}
        required
        maxlength={80}
        help="Name of the virtual machine. A name that already exists is refused."
      />
      {agreements.size > 0 && (
        <>
          <HiddenField name="shown" value={[...agreements.keys()].join(' ')} />
          <div class="field">
            <span class="label">License</span>
            <div>
              {[...agreements].map(([mark, members]) => (
                <More key={mark} summary={summaryOf(members, agreements.size, usable.length)}>
                  <pre class="agreement">{members[0]!.texts.join('\n\n')}</pre>
                </More>
              ))}
            </div>
          </div>
          <CheckField
            name="eula"
            value="yes"
            label={
              agreements.size > 1
                ? 'I have read the license agreement of the chosen OVA and accept it'
                : 'I have read the license agreement and accept it'
            }
            checked={typed.checked('eula', accepted)}
            error={typed.of('eula')}
          />
        </>
      )}
      <FormActions note="Nothing is sent yet. The OVA’s files are checked against its manifest before anything is sent.">
        <Button kind="primary">Continue</Button>
        <Back view={view} to={view.stored ? 'credential' : 'login'} />
      </FormActions>
    </StepForm>
  );
}

/** Whose it is, where that is not plain. */
function summaryOf(members: readonly Agreement[], agreements: number, usable: number): string {
  if (agreements === 1 && members.length === usable) return 'License agreement';
  return `License agreement of ${members.map(({ file }) => file).join(', ')}`;
}
