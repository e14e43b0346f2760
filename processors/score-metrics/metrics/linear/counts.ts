const smallest = 512;

/**
 * How often each bucket was hit: an open hash table. It is small, because a text hits few of its buckets and
 * every text starts with a new table.
 */
export class Counts {
  size = 0;
  /** Bucket plus one; 0 if a slot is free. */
  private buckets = new Uint32Array(smallest);
  private times = new Uint32Array(smallest);

  add(bucket: number): void {
    const slot = slotOf(this.buckets, bucket);
    if (this.buckets[slot] === 0) {
      this.buckets[slot] = bucket + 1;
      this.size += 1;
    }
    this.times[slot] = (this.times[slot] as number) + 1;
    if (2 * this.size > this.buckets.length) this.grow();
  }

  /** Writes the buckets that were hit, moved by `offset`, and ln(1 + times), as a vector of length 1. */
  writeUnit(at: Uint32Array, values: Float64Array, from: number, offset: number): void {
    let next = from;
    let squares = 0;
    for (let slot = 0; slot < this.buckets.length; slot++) {
      const bucket = this.buckets[slot] as number;
      if (bucket === 0) continue;
      const damped = Math.log1p(this.times[slot] as number);
      at[next] = bucket - 1 + offset;
      values[next] = damped;
      squares += damped * damped;
      next += 1;
    }
    const length = Math.sqrt(squares);
    for (let index = from; index < next; index++) values[index] = (values[index] as number) / length;
  }

  private grow(): void {
    const [buckets, times] = [this.buckets, this.times];
    this.buckets = new Uint32Array(2 * buckets.length);
    this.times = new Uint32Array(2 * buckets.length);
    for (let slot = 0; slot < buckets.length; slot++) {
      const bucket = buckets[slot] as number;
      if (bucket === 0) continue;
      const moved = slotOf(this.buckets, bucket - 1);
      this.buckets[moved] = bucket;
      this.times[moved] = times[slot] as number;
    }
  }
}

/** The slot of the bucket in the table, or the free slot where it belongs. */
function slotOf(buckets: Uint32Array, bucket: number): number {
  const last = buckets.length - 1;
  let slot = bucket & last;
  while (buckets[slot] !== 0 && buckets[slot] !== bucket + 1) slot = (slot + 1) & last;
  return slot;
}
