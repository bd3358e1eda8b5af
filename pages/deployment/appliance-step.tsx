// Which OVA is deployed, under which name, and the agreement that comes with it.
import { Button } from '../components/button.tsx';
import { byteWords } from '../components/byte-words.ts';
import { More } from '../components/code.tsx';
import { CheckField, FormActions, RadioField, TextField } from '../components/form.tsx';
import { Back, StepForm } from '../remote/wizard.tsx';
import type { DeploymentStep } from './sddc-manager.tsx';

export function Appliance(props: DeploymentStep) {
  const { view, typed, data } = props;
  const chosen = view.draft?.deployment?.appliance;
  const usable = data.agreements.filter(({ fault }) => fault === null);
  const newest = usable[0]?.file ?? '';
  const sizes = new Map(data.appliances.map(({ file, size_bytes }) => [file, size_bytes]));
  const agreed = [...new Set(usable.flatMap(({ texts }) => texts))];
  return (
    <StepForm {...props} to="appliance" label="Appliance">
      <RadioField
        name="file"
        label="OVA"
        look="columns"
        value={typed.text('file', chosen?.file ?? newest)}
        error={typed.of('file')}
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
        value={typed.text('name', chosen?.name ?? 'sddc-manager')}
        error={typed.of('name')}
        required
        maxlength={80}
        help="Of the virtual machine. One that exists already is never touched: such a name is refused."
      />
      {agreed.map((text, at) => (
        <More key={text.slice(0, 80)} summary={agreed.length > 1 ? `License agreement ${at + 1}` : 'License agreement'}>
          <pre class="agreement">{text}</pre>
        </More>
      ))}
      {agreed.length > 0 && (
        <CheckField
          name="eula"
          value="yes"
          label="I have read the license agreement and accept it"
          checked={typed.checked('eula', chosen !== undefined)}
          error={typed.of('eula')}
        />
      )}
      <FormActions note="Nothing is sent yet. The files of the OVA are held against its manifest before the first byte leaves.">
        <Button kind="primary">Continue</Button>
        {!view.stored && <Back view={view} to="login" />}
      </FormActions>
    </StepForm>
  );
}
