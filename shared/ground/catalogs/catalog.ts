// What a deployment catalog is: the names that one release of a product needs before its installer starts. A release
// is a file of its own beside this one and is never changed afterwards, so that what was chosen once stays the same.

export interface CatalogComponent {
  /** Host name of the catalog: what stands between prefix and suffix. Kept with each generated record. */
  host: string;
  /** What it is: the description of its records. */
  label: string;
}

export interface Catalog {
  /** `vcf-9.1` */
  id: string;
  /** `VCF 9.1` */
  label: string;
  /** In the order in which addresses are given. */
  components: readonly CatalogComponent[];
}
