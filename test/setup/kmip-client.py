# The whole cycle of a key by PyKMIP, as the package of the distribution has it: argv is port, certificate, key, root, version.
# Prints one JSON object. A step that fails ends it with an error.
import json
import sys

from kmip.core import enums
from kmip.pie import exceptions
from kmip.pie.client import ProxyKmipClient

port, cert, key, ca, version = sys.argv[1:6]
out = {}
client = ProxyKmipClient(
    hostname='127.0.0.1', port=int(port), cert=cert, key=key, ca=ca,
    ssl_version='PROTOCOL_TLSv1_2', kmip_version=getattr(enums.KMIPVersion, 'KMIP_' + version.replace('.', '_')),
)


def refused(step):
    try:
        step()
    except exceptions.KmipOperationFailure as failure:
        return failure.reason.name
    return None


with client:
    uid = client.create(enums.CryptographicAlgorithm.AES, 256, name='disk-' + version)
    out['id'] = uid
    names = client.get_attribute_list(uid)
    out['names'] = sorted(names)
    _, attributes = client.get_attributes(uid, ['State', 'Cryptographic Length', 'x-Absent'])
    out['attributes'] = {str(a.attribute_name): str(a.attribute_value) for a in attributes}
    client.activate(uid)
    got = client.get(uid)
    out['bytes'] = len(got.value)
    out['material'] = got.value.hex()
    from kmip.core.factories.attributes import AttributeFactory
    made = AttributeFactory().create_attribute(enums.AttributeType.NAME, __import__('kmip.core.attributes', fromlist=['Name']).Name.create('disk-' + version, enums.NameType.UNINTERPRETED_TEXT_STRING))
    out['located'] = client.locate(attributes=[made])
    out['active'] = refused(lambda: client.destroy(uid))
    client.revoke(enums.RevocationReasonCode.CESSATION_OF_OPERATION, uid)
    out['revoked_get'] = client.get(uid).value.hex() == out['material']
    client.destroy(uid)
    out['gone'] = refused(lambda: client.get(uid))
print(json.dumps(out))
