"""A Ray cluster of two nodes, each of one processor, for the tests that lose one.

Run with the port for clients; prints the cluster's address. The line “kill” on standard input kills
the second node, “add” adds another one, the end of it ends the cluster.
"""

import sys

from ray.cluster_utils import Cluster


def main(port: int) -> None:
    """Start the cluster, and do as is said."""
    head = {"num_cpus": 1, "include_dashboard": False, "ray_client_server_port": port}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    node = cluster.add_node(num_cpus=1)
    print(cluster.address, flush=True)
    for line in sys.stdin:
        if line == "kill\n":
            cluster.remove_node(node, allow_graceful=False)
        else:
            node = cluster.add_node(num_cpus=1)
        print("done", flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    main(int(sys.argv[1]))
