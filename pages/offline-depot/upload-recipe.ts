// How an OVA is uploaded from a shell: what the page shows to be pasted, and a test runs.

/** `origin`: `https://gc01.lab.example`. Three values are the reader's own; the rest runs as it is. */
export const uploadRecipe = (
  origin: string,
): string => `GROUNDCREW=${origin} TOKEN=… OVA=VCF-SDDC-Manager-Appliance-9.0.1.0.24962180.ova

api() { curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" "$@"; }
uploads=$GROUNDCREW/api/v1/private-cloud-services/uploads
size=$(stat -c %s "$OVA") sum=$(sha256sum "$OVA" | cut -c1-64)
id=$(api -H 'Content-Type: application/json' "$uploads" \\
  -d "{\\"name\\": \\"\${OVA##*/}\\", \\"size_bytes\\": $size, \\"sha256\\": \\"$sum\\"}" \\
  | grep -o '"upload_id":"[^"]*' | cut -d'"' -f4)

at=0
while [ -n "$id" ] && [ "$at" -lt "$size" ]; do
  next=$(tail -c +$((at + 1)) "$OVA" | head -c 4194304 | api -T - -H 'Content-Type: application/octet-stream' \\
    "$uploads/$id/content?offset=$at" | grep -o '"received_bytes":[0-9]*' | cut -d: -f2)
  if [ -n "$next" ]; then at=$next; else sleep 5; fi
done

[ -n "$id" ] && api -H 'Content-Type: application/json' "$uploads/$id/complete" -d '{}'
`;
