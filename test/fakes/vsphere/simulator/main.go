// The inventory behind the fake vSphere: govmomi's simulator on a loopback port, without TLS, which the front adds. It
// prints READY with its address, and ends when its standard input does, so that none outlives the test that started it.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net/url"
	"os"
	"sort"
	"strings"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/types"
)

func main() {
	mode := flag.String("mode", "vc", "vc or esx")
	version := flag.String("version", "8.0.3", "release that it says it is")
	api := flag.String("api", "8.0.3.0", "version of its API")
	hosts := flag.String("hosts", "", "names that its hosts get, in order, with a comma between them")
	port := flag.Int("port", 443, "port that its hosts name")
	thumbprint := flag.String("thumbprint", "", "certificate thumbprint that its hosts name")
	machines := flag.Int("machines", 2, "virtual machines in each resource pool")
	capacity := flag.Int64("capacity", 2<<40, "bytes of each datastore")
	free := flag.Int64("free", 1<<40, "of which are free")
	datacenters := flag.Int("datacenters", 1, "data centers of a vCenter")
	flag.Parse()
	log.SetOutput(io.Discard)

	model := simulator.VPX()
	if *mode == "esx" {
		model = simulator.ESX()
	} else {
		model.Datacenter = *datacenters
		model.Pool = 1
	}
	model.Machine = *machines
	about := &model.ServiceContent.About
	about.FullName = strings.ReplaceAll(about.FullName, about.Version, *version)
	about.Version = *version
	about.ApiVersion = *api
	about.Build = "24022510"
	if err := model.Create(); err != nil {
		panic(err)
	}

	names := strings.Split(*hosts, ",")
	for i, entity := range inOrder("HostSystem") {
		host := entity.(*simulator.HostSystem)
		if *hosts != "" {
			host.Name = names[i%len(names)]
			host.Summary.Config.Name = host.Name
		}
		host.Summary.Config.Port = int32(*port)
		host.Summary.Config.SslThumbprint = *thumbprint
		product := *host.Summary.Config.Product
		product.Version = *version
		host.Summary.Config.Product = &product
	}

	for _, entity := range inOrder("Datastore") {
		store := entity.(*simulator.Datastore)
		store.Summary.Type = "VMFS"
		store.Summary.Capacity = *capacity
		store.Summary.FreeSpace = *free
		store.Summary.MaintenanceMode = "normal"
	}
	for _, entity := range inOrder("DistributedVirtualPortgroup") {
		group := entity.(*simulator.DistributedVirtualPortgroup)
		if strings.Contains(group.Name, "DVUplinks") {
			group.Tag = []types.Tag{{Key: "SYSTEM/DVS.UPLINKPG"}}
		}
	}

	account := url.UserPassword(os.Getenv("SIMULATOR_USERNAME"), os.Getenv("SIMULATOR_PASSWORD"))
	model.Service.Listen = &url.URL{Host: "127.0.0.1:0", User: account}
	server := model.Service.NewServer()
	fmt.Println("READY", server.URL.Host)
	_, _ = io.Copy(io.Discard, os.Stdin)
	server.Close()
	model.Remove()
}

// Entities of a type in the order in which they were made.
func inOrder(kind string) []mo.Entity {
	found := simulator.Map.All(kind)
	sort.Slice(found, func(i, j int) bool {
		a, b := found[i].Reference().Value, found[j].Reference().Value
		if len(a) != len(b) {
			return len(a) < len(b)
		}
		return a < b
	})
	return found
}
