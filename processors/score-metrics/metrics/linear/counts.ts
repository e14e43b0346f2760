const smallest = 512;

/**
 * How often each bucket was hit: an open hash table, a small one, since a text hits few of its buckets and every text
 * begins anew.
 */
export class Counts {
  size = 0;
  /** Bucket plus one; 0 where a place is free. */
  private buckets = new Uint32Array(smallest);
  private times = new Uint32Array(smallest);

  add(bucket: number): void {
    const place = placeOf(this.buckets, bucket);
    if (this.buckets[place] === 0) {
      this.buckets[place] = bucket + 1;
      this.size += 1;
    }
    this.times[place] = (this.times[place] as number) + 1;
    if (2 * this.size > this.buckets.length) this.grow();
  }

  /** Writes the buckets that were hit, moved by `offset`, and ln(1 + times), as a vector of length 1. */
  writeUnit(at: Uint32Array, values: Float64Array, from: number, offset: number): void {
    let next = from;
    let squares = 0;
    for (let place = 0; place < this.buckets.length; place++) {
      const bucket = this.buckets[place] as number;
      if (bucket === 0) continue;
      const damped = Math.log1p(this.times[place] as number);
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
    for (let place = 0; place < buckets.length; place++) {
      const bucket = buckets[place] as number;
      if (bucket === 0) continue;
      const moved = placeOf(this.buckets, bucket - 1);
      this.buckets[moved] = bucket;
      this.times[moved] = times[place] as number;
    }
  }
}

/** Where the bucket stands in the table, or the free place where it belongs. */
function placeOf(buckets: Uint32Array, bucket: number): number {
  const last = buckets.length - 1;
  let place = bucket & last;
  while (buckets[place] !== 0 && buckets[place] !== bucket + 1) place = (place + 1) & last;
  return place;
}
